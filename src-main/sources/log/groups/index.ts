// Files whose columns have times of their own: how they are told, and how they are read.
export { GroupParser } from './group-parser.ts';
export { fileHeadOf, lastHeadOf } from './lvm-heads.ts';
export { pairColumns } from './pair-columns.ts';
export { isLvm, settleLvm } from './settle-lvm.ts';
export { isScope, settleScope } from './settle-scope.ts';
