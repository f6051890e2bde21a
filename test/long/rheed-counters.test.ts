// The counters of all kinds at both frame rates, in the amount of a long run.
import '../scenario/rheed-counters.test.ts';
