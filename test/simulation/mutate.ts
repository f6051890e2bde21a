// Loads one module of the follower changed (follow-mutants.ts), in the process that imports this before the others.
import { changeModule } from './change-module.ts';
import { MUTANTS } from './follow-mutants.ts';

/**
 * Change the module that a mutant names, when it is loaded.
 *
 * @throws the text it changes is not there.
 */
export function mutate(name: string): void {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant "${name}".`);
  changeModule(mutant.file, mutant.from, mutant.to);
}
