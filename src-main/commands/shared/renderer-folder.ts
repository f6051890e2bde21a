import { join } from 'node:path';

/** Where the built page lies: `dist/renderer`, seen from the source tree as from the bundle in `dist/main`. */
export function rendererFolder(): string {
  const isSource = import.meta.url.endsWith('.ts');
  return isSource ? join(import.meta.dirname, '../../../dist/renderer') : join(import.meta.dirname, '../renderer');
}
