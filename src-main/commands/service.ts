// `epistream service`: the embedded service on its own, for a lab without another one and for trying things.
import { resolve } from 'node:path';
import { type Door, LOOPBACK } from '../local-service/door.ts';
import { importFile } from '../local-service/import/import-file.ts';
import { startLocalService } from '../local-service/local-service.ts';
import { hasOwnKey } from '../local-service/own-key.ts';
import { KEY_VARIABLE } from '../platform/secrets.ts';
import { administer, isAdministration } from './service-admin.ts';
import { runMigrate } from './service-migrate.ts';
import { DATABASE_OPTION, readStorage } from './service-storage.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, readPort, usageError } from './shared/options.ts';
import { untilSignal } from './shared/until-signal.ts';

const OPTIONS = {
  data: { value: 'D', help: 'folder of its database and files; made when missing' },
  database: DATABASE_OPTION,
  port: { value: 'N', help: 'port on this PC (default 4320; 0: any free one)' },
  listen: { value: 'ADDR:PORT', help: 'address for other PCs, such as 0.0.0.0:4320; needs the three below' },
  'tls-cert': { value: 'F', help: 'certificate chain (PEM); taken again when the file is renewed' },
  'tls-key': { value: 'F', help: 'its key (PEM)' },
  'public-url': { value: 'URL', help: 'address that other PCs use, such as https://lab.example:4320' },
  key: {
    value: 'K',
    help: `API key of its first user; other users of this PC see it in the list of processes: better set ${KEY_VARIABLE}`,
  },
  metrics: { value: null, help: 'serve /metrics for Prometheus, without a key' },
  import: { value: 'F', help: 'take in a JSON file first, such as resources/demo/demo.json' },
} as const satisfies Record<string, Option>;

/**
 * Serve until asked to end; or manage organizations, users and keys (`service org|user|key`).
 *
 * @returns exit code 0.
 * @throws those of `startLocalService`, such as a port that is taken; of `importFile`, which name line and field; of the
 *   administration.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (isAdministration(args)) return administer(args);
  if (args[0] === 'migrate') return runMigrate(args.slice(1));
  const summary =
    'Run the embedded service on its own; without --listen for this PC alone.\n"epistream service org|user|key add|list --help": who may use it. "epistream service migrate --help": from a folder to PostgreSQL.';
  const read = readOptions('service', summary, OPTIONS, args);
  if (!read) return EXIT.done;
  const storage = readStorage('service', read.values);
  const { folder, database } = storage;
  const { door, port } = readDoor(read.values);
  if (read.values.key !== undefined) {
    console.error(
      `epistream: warning: other users of this PC can read --key in the list of processes.\n  hint: Set ${KEY_VARIABLE} instead.`,
    );
  }
  const given = read.values.key ?? process.env[KEY_VARIABLE] ?? null;
  const isFolderNew = database === null && !hasOwnKey(folder);
  const service = await startLocalService({
    folder,
    database,
    door,
    port,
    key: given,
    hasMetrics: read.values.metrics,
  });
  try {
    console.log(`Service at ${service.url}, data in ${storage.told}`);
    // A database tells the key only in the start that made it.
    const isKeyMade = given === null && (isFolderNew || (database !== null && service.apiKey !== ''));
    if (isKeyMade) console.log(`API key, printed this once: ${service.apiKey}`);
    if (read.values.import !== undefined) {
      const { added, kept } = await importFile(database ?? folder, resolve(read.values.import));
      console.log(`Imported ${read.values.import}: ${added} added, ${kept} there already.`);
    }
    let hasEnded = false;
    const failed = new Promise<void>((settle) => {
      service.onFailure((fault) => {
        console.error(`epistream: ${fault.message}\n  hint: ${fault.hint}`);
        hasEnded ||= fault.code === 'service.thread-ended';
        if (hasEnded) settle();
      });
    });
    await Promise.race([untilSignal(), failed]);
    return hasEnded ? EXIT.fault : EXIT.done;
  } finally {
    await service.stop();
  }
}

type Given = Readonly<Record<'port' | 'listen' | 'tls-cert' | 'tls-key' | 'public-url', string | undefined>>;

/** How the service is to be reached. */
function readDoor({ port, listen, ...given }: Given): { door: Door; port: number } {
  const { 'tls-cert': certFile, 'tls-key': keyFile, 'public-url': publicUrl } = given;
  if (listen !== undefined && port !== undefined) throw usageError('service', 'Give --listen or --port, not both.');
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw usageError('service', '--tls-cert and --tls-key belong together.');
  }
  const place = /^\[?([^\]]*)\]?:(\d+)$/.exec(listen ?? `${LOOPBACK.address}:${port ?? 4320}`);
  if (place === null)
    throw usageError('service', `--listen ${listen}: give an address and a port, such as 0.0.0.0:4320.`);
  const [, address = '', number = ''] = place;
  const tls = certFile === undefined || keyFile === undefined ? null : { certFile, keyFile };
  const door = { address, publicUrl: publicUrl?.replace(/\/+$/, '') ?? null, tls };
  return { door, port: readPort(listen === undefined ? 'port' : 'listen', number) };
}
