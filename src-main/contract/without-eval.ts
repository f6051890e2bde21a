// The page and the preload run where no text may become code. zod would try (`new Function`) as soon as a schema is
// made, and the browser would report it; so code that runs there imports this before the table.
import { config } from 'zod';

config({ jitless: true });
