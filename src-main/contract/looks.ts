/**
 * Read-only calls: those of the pages Now, wall view, Growth, Plots, Streams and Journal. Calls that reach the service, a port or
 * a folder are excluded.
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
