// Before tests that start the agent as a process: it runs as it ships, from the built product, which starts in half the time
// that the sources take. A build that is newer than all sources is used as it is.
import { buildWhenStale } from '../../../resources/scripts/build-when-stale.ts';

export function setup(): void {
  if (!buildWhenStale(() => console.log('Building the product for the tests.'))) throw new Error('The build failed.');
}
