// The simulated lives of the queue, in the amount of a long run.
import '../scenario/simulation.test.ts';
