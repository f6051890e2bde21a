import { app, type Details, type Event } from 'electron';
import type { AgentPort } from './agent-port.ts';

/**
 * Report processes of Electron that ended by fault: the one that draws (GPU), or a helper. Electron restarts them by
 * itself, and capture lives in none of them, so there is nothing to do but to say so.
 *
 * @param agentPort - the agent, for its journal.
 * @returns the function that ends it.
 */
export function tellOfChildren({ tell }: Pick<AgentPort, 'tell'>): () => void {
  const note = (_event: Event, { type, reason, exitCode, name }: Details) => {
    if (reason === 'clean-exit') return;
    const which = type === 'GPU' ? 'The process that draws the window' : `A helper of the window (${name ?? type})`;
    tell({
      level: 'warning',
      code: 'desktop.process-gone',
      message: `${which} ended (${reason}, code ${exitCode}) and is restarted; capture went on.`,
      hint: type === 'GPU' ? 'If this comes often, look at the graphics driver.' : '',
    });
  };
  app.on('child-process-gone', note);
  return () => void app.off('child-process-gone', note);
}
