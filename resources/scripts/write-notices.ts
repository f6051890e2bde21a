// Writes resources/third-party-notices.md: `npm run notices`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeNotices } from './third-party.ts';

const top = join(import.meta.dirname, '../..');
const file = join(top, 'resources/third-party-notices.md');
writeFileSync(file, makeNotices(top));
console.log(`wrote ${file}`);
