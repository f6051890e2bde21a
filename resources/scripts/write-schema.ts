// Writes resources/epistream.schema.json from the schema of the settings file: `npm run schema`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeJsonSchema } from '../../src-main/settings/json-schema.ts';

const file = join(import.meta.dirname, '..', 'epistream.schema.json');
writeFileSync(file, `${JSON.stringify(makeJsonSchema(), null, 2)}\n`);
console.log(`wrote ${file}`);
