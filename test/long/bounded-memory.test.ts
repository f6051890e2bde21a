// The logs that do not fit into the heap, in the amount of a long run.
import '../scenario/bounded-memory.test.ts';
