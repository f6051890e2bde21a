import type { UploadService } from '../upload/ports.ts';

/**
 * Put a gate before the calls that move data.
 *
 * **Takes**: the service, and what is asked before each call; it throws to hold the call back, with nothing sent.
 * **Gives**: the same calls.
 */
export function gateService(service: UploadService, admit: (signal: AbortSignal) => Promise<void>): UploadService {
  const gate = <R, V>(call: (request: R, options: { signal: AbortSignal }) => Promise<V>) => {
    return async (request: R, options: { signal: AbortSignal }): Promise<V> => {
      await admit(options.signal);
      return call(request, options);
    };
  };
  return {
    initializeStream: gate((...args) => service.initializeStream(...args)),
    ingestChunk: gate((...args) => service.ingestChunk(...args)),
    readTimeSeries: gate((...args) => service.readTimeSeries(...args)),
    listDataEntries: gate((...args) => service.listDataEntries(...args)),
    endStream: gate((...args) => service.endStream(...args)),
  };
}
