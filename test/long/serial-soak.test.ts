// The soak of serial instruments, in the amount of a long run.
import '../scenario/serial-soak.test.ts';
