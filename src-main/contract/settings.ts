// The settings that are no source: the service, the tool, how streams are cut. Sources have a noun of their own. And the answers
// of the first-run page, which become settings.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

const Service = z.object({
  url: text(2048).min(1).describe('embedded, or an address'),
  caFile: text(4096).nullable().describe('PEM file of an authority of the lab; null: the usual ones'),
});

const Tool = z.object({
  name: text(100).min(1),
  timeZone: text(64).min(1).describe('IANA name'),
  synthSourceId: z.int().positive().nullable(),
});

const StreamDefaults = z.object({
  pointsPerChunk: z.union([z.literal('auto'), z.int().min(1).max(1000)]),
  rollover: z.enum(['daily', 'growth']),
  closeAfterQuiet: text(40).nullable().describe('a duration such as 15min; null: never'),
});

const SettingsView = z.object({
  file: z.string().describe('where the settings stand'),
  dataFolder: z.string(),
  keyFor: z.string().nullable().describe('address that a key is kept for; it is never told; null: none is kept'),
  service: Service,
  tool: Tool,
  streamDefaults: StreamDefaults,
});

/** What a test of the connection found. `is` names the fault as people do. */
const ConnectionFinding = z.object({
  kind: z.enum([
    ...(['works', 'embedded', 'no-key', 'dns', 'refused', 'unreachable', 'no-answer', 'certificate', 'clock'] as const),
    ...(['proxy', 'portal', 'key', 'account', 'address', 'authority-file', 'service'] as const),
  ]),
  message: z.string(),
  hint: z.string(),
  tookMs: z.number().nonnegative(),
});

const ListedSetting = z.object({
  path: z.string().describe('dotted: service.proxy'),
  about: z.string(),
  choices: z.array(z.string()).readonly().nullable().describe('the values that it may have; null: others too'),
  value: z.string().nullable().describe('as YAML in one line; null: the file does not name it'),
  otherwise: z.string().nullable().describe('what holds then, as YAML; null: as `about` says'),
  line: z.int().positive().nullable().describe('of the file; null: the file does not name it'),
  lineText: z.string(),
});

const key = text(1000).describe('goes in only; empty: the one that is kept');

export const settings = {
  /**
   * @throws `settings.none` in a trial and before the first settings.
   */
  read: call(nothing, SettingsView),
  /** Reach a service as the settings would, with one question that changes nothing. */
  test: call(Service.extend({ apiKey: key }), ConnectionFinding),
  /** Every setting that is no source and no limit, with its line of the file. */
  listAll: call(nothing, z.array(ListedSetting)),
  /**
   * Give one setting a value and go over to it.
   *
   * @throws `settings.unknown`, `settings.value`, `settings.invalid`; nothing has changed then.
   */
  set: call(
    z.object({ path: text(200), value: text(5000).describe('as YAML; empty: out of the file, its default holds') }),
    nothing,
  ),
  /** Write them and go over to them. When the run cannot begin with them, the former ones stand again. */
  save: call(z.object({ service: Service, apiKey: key, tool: Tool, streamDefaults: StreamDefaults }), nothing),
} as const;

const ConnectArgument = z.object({
  toolName: text(100).min(1),
  timeZone: text(64).min(1).describe('IANA name, for log stamps that carry no zone'),
  folder: text(4096).min(1),
  match: text(200).min(1).describe('glob below the folder, for example **/*.csv'),
  backfill: z.enum(['from-now', 'all']),
  serviceUrl: text(2048).min(1).describe('"embedded" or an https address'),
  apiKey: text(1000).describe(
    'empty with the embedded service; kept where this PC can protect it, else for this session; never shown again',
  ),
  /** How the time column is written when it is neither Unix seconds nor ISO 8601, for example `dd/MM/yyyy HH:mm:ss.SSS`; empty: recognise. */
  timeFormat: text(100),
});

export const tool = {
  connect: call(ConnectArgument, nothing),
} as const;
