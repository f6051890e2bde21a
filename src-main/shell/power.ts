import { type BrowserWindow, powerMonitor } from 'electron';
import type { AgentPort } from './agent-port.ts';

/**
 * Follow the sleep of the PC and its shutdown.
 *
 * Electron's events are known to be missed and doubled, so nothing depends on them: a resume only makes waiting tries due
 * at once, and a shutdown only stops the agent in good order instead of by the power switch.
 *
 * @param quit - what quits the program.
 * @returns the function that ends it.
 */
export function followPower(agent: Pick<AgentPort, 'release'>, window: BrowserWindow, quit: () => void): () => void {
  const wake = () => agent.release();
  const shutDown = (event: { preventDefault(): void }) => {
    // Asks the system to wait until everything captured is on disk; quitting then lets it go on.
    event.preventDefault();
    quit();
  };
  // The typings leave out the event that the documentation describes.
  const onShutDown = shutDown as () => void;
  powerMonitor.on('resume', wake);
  powerMonitor.on('shutdown', onShutDown);
  // Windows tells its windows, not the program, that the session ends. Its question before (`query-session-end`) is no reason to
  // stop: another program may still refuse, and the PC then goes on without a recording.
  window.on('session-end', quit);
  return () => {
    powerMonitor.off('resume', wake);
    powerMonitor.off('shutdown', onShutDown);
    window.off('session-end', quit);
  };
}
