// The thread of a service on the test bench.
import { serveInThread } from '../../../src-main/local-service/serve-in-thread.ts';
import { createInterposer } from './bench.ts';

await serveInThread(createInterposer);
