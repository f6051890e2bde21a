// The days without a network, in the amount of a long run.
import '../scenario/long-outage.test.ts';
