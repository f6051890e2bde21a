import { powerSaveBlocker } from 'electron';
import type { AgentPort } from './agent-port.ts';

/**
 * Keep the PC from falling asleep while a growth runs. The display may sleep.
 *
 * **Takes**: the agent. **Gives**: the function that ends it, whatever runs.
 */
export function keepAwake({ snapshot, subscribe }: Pick<AgentPort, 'snapshot' | 'subscribe'>): () => void {
  let blocker: number | null = null;
  const release = () => {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = null;
  };
  const follow = (hasGrowth: boolean) => {
    if (!hasGrowth) release();
    else blocker ??= powerSaveBlocker.start('prevent-app-suspension');
  };
  follow(snapshot.growth !== null);
  const unsubscribe = subscribe('snapshot', ({ growth }) => follow(growth !== null));
  return () => {
    unsubscribe();
    release();
  };
}
