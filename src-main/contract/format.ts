// The forms of counts, sizes and durations, for the page as well: one number reads alike in a message and on the screen.
export { formatBytes, formatCount, formatCounted, formatDuration } from '../model/format.ts';
