import { AgentError } from '../../model/agent-error.ts';

/** The first Node that can load the program: an older one stops at its syntax. */
const NODE_MIN = 24;

/**
 * Refuse a Node that is too old. Takes `process.versions`; the desktop program has a Node of its own.
 *
 * @throws `node.version`, which names the version there is and the one that is needed.
 */
export function checkNode({ node, electron }: { readonly node: string; readonly electron?: string | undefined }): void {
  if (electron !== undefined || Number.parseInt(node, 10) >= NODE_MIN) return;
  throw new AgentError({
    code: 'node.version',
    message: `Epistream needs Node ${NODE_MIN} or later; this is Node ${node}.`,
    hint: 'In the repository write "npm run agent -- <command>", which brings the right one; an installed Epistream has its own.',
    retry: 'after-human',
  });
}
