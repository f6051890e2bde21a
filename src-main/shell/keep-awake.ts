import { powerSaveBlocker } from 'electron';

/**
 * Make what keeps the PC from falling asleep. The display may sleep.
 *
 * @returns follows what it is told: stay awake, or no longer.
 */
export function openAwake(): { readonly problem: null; follow(isWanted: boolean): void } {
  let blocker: number | null = null;
  return {
    problem: null,
    follow: (isWanted) => {
      if (isWanted) {
        blocker ??= powerSaveBlocker.start('prevent-app-suspension');
        return;
      }
      if (blocker !== null) powerSaveBlocker.stop(blocker);
      blocker = null;
    },
  };
}
