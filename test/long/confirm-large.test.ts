// The read-back of channels that do not fit into memory, in the amount of a long run.
import '../scenario/confirm-large.test.ts';
