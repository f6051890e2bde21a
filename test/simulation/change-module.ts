// Changes the text of one module as it is loaded, for what is imported after this was called.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Put a text in place of another one, in a module given by its path in the repository.
 *
 * @throws there is no such module; once it is loaded, that it does not hold the text just once.
 */
export function changeModule(file: string, from: string, to: string): void {
  const target = new URL(`../../${file}`, import.meta.url).href;
  if (!existsSync(fileURLToPath(target))) throw new Error(`There is no ${file}, which is to be changed.`);
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url !== target || !loaded.source) return loaded;
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      if (text.split(from).length !== 2) throw new Error(`${file} does not hold "${from}" once.`);
      return { ...loaded, source: text.replace(from, () => to) };
    },
  });
}
