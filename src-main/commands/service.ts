// `epistream service`: the embedded service on its own, for a lab without another one and for trying things.
import { resolve } from 'node:path';
import { startLocalService } from '../local-service/local-service.ts';
import { KEY_VARIABLE } from '../platform/secrets.ts';
import { type Option, readOptions, readPort, requireOption } from './options.ts';
import { untilSignal } from './until-signal.ts';

const OPTIONS = {
  data: { value: 'D', help: 'folder of its database and files; made when missing' },
  port: { value: 'N', help: 'port on this PC (default 4320; 0: any free one)' },
  key: { value: 'K', help: `API key of its first user (or ${KEY_VARIABLE}); else one is made and printed once` },
} as const satisfies Record<string, Option>;

/**
 * Serve until asked to end.
 *
 * **Gives**: exit code 0. **Errors**: those of `startLocalService`, such as a port that is taken.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('service', 'Run the embedded service on its own, on loopback only.', OPTIONS, args);
  if (!read) return 0;
  const folder = resolve(requireOption('service', 'data', read.values.data));
  const given = read.values.key ?? process.env[KEY_VARIABLE] ?? null;
  const service = await startLocalService({ folder, port: readPort('port', read.values.port ?? '4320'), key: given });
  console.log(`Service at ${service.url}, data in ${folder}`);
  if (given === null) console.log(`API key: ${service.apiKey}`);
  let failure: Error | null = null;
  const failed = new Promise<void>((settle) => {
    service.onFailure((fault) => {
      console.error(`epistream: ${fault.message}\n  hint: ${fault.hint}`);
      if (fault.code !== 'service.thread-ended') return;
      failure = fault;
      settle();
    });
  });
  await Promise.race([untilSignal(), failed]);
  await service.stop();
  return failure ? 1 : 0;
}
