import type { UploadService } from '../../delivery/upload/ports.ts';

type Call = (request: never, options: { signal: AbortSignal }) => Promise<unknown>;

/** The calls that move data or make something at the service; what of them a service has is gated. */
const GATED = [
  ...['initializeStream', 'ingestChunk', 'readTimeSeries', 'listDataEntries', 'endStream'],
  ...['startRheedStream', 'readRheedSettings', 'readRheedMetadata'],
];

/**
 * Put a gate before the calls that move data. Takes the service, and what is asked before each call; it throws to hold the
 * call back, with nothing sent.
 *
 * @returns the same calls.
 */
export function gateService<S extends UploadService>(service: S, admit: (signal: AbortSignal) => Promise<void>): S {
  const calls = service as unknown as Record<string, Call | undefined>;
  const gated: Record<string, Call> = {};
  for (const name of GATED) {
    const call = calls[name];
    if (!call) continue;
    gated[name] = async (request, options) => {
      await admit(options.signal);
      return call.call(service, request, options);
    };
  }
  return { ...service, ...gated };
}
