export { formatBytes } from '../../src-main/contract/format.ts';
