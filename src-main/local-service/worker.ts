// The thread of an embedded service: its entry.
import { serveInThread } from './serve-in-thread.ts';

await serveInThread();
