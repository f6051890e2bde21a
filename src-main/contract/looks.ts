/**
 * Calls that show what stands in this agent and change nothing: those of the pages Now, wall view, Growth, Plots, Streams and
 * Journal. Those that ask the service, a port or a folder are none of them.
 */
export const LOOKS: ReadonlySet<string> = new Set([
  'snapshot.read',
  'growth.read',
  'growth.list',
  'rheed.listSessions',
  'limit.list',
  'plot.listChannels',
  'plot.read',
  'plot.readGaps',
  'plot.readRefused',
  'plot.listOlder',
  'plot.readMarks',
  'stream.list',
  'journal.list',
  'journal.listSources',
]);
