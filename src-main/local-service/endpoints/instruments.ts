// 4.12: growth instruments.
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve the making of instruments. */
export function serveInstruments({ storage: { library }, nowMs }: ServiceParts): Pick<Handlers, 'createInstrument'> {
  return {
    createInstrument: ({ name, label, type, serial_id }, caller) => {
      const metadata = { serial_identifier: serial_id ?? null };
      return library.addInstrument({ ...caller, name, label, type, metadata, nowMs: nowMs() }, caller);
    },
  };
}
