// Loads one module of the follower changed (follow-mutants.ts), in the process that imports this before the others.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './follow-mutants.ts';

/**
 * Change the module that a mutant names, when it is loaded.
 *
 * @throws the text it changes is not there.
 */
export function mutate(name: string): void {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant "${name}".`);
  const target = new URL(`../../${mutant.file}`, import.meta.url).href;
  if (!existsSync(fileURLToPath(target))) throw new Error(`There is no ${mutant.file}, which the mutant changes.`);
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url !== target || loaded.source === undefined) return loaded;
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      if (text.split(mutant.from).length !== 2) throw new Error(`${mutant.file} does not hold "${mutant.from}" once.`);
      return { ...loaded, source: text.replace(mutant.from, () => mutant.to) };
    },
  });
}
