// The kills of a draining agent, in the amount of a long run.
import '../scenario/kill.test.ts';
