// What the screen asks to set up sources: what the settings say, looks at what a source would read, saving.
import { dirname, resolve } from 'node:path';
import type { Argument, Handlers, Value } from '../../../contract/table.ts';
import { AgentError, toAgentError } from '../../../model/agent-error.ts';
import type { DialectInput } from '../../../model/dialect.ts';
import { isWholePath } from '../../../settings/fields.ts';
import { readParsed } from '../../../settings/read-settings.ts';
import type { SettingsInput } from '../../../settings/schema.ts';
import type { SerialSourceSettings, Settings } from '../../../settings/settings.ts';
import { previewLogFolder } from '../../../sources/log/reader/log-reader.ts';
import { shippedDialects } from '../../../sources/log/recognise/dialect-library.ts';
import { listPorts } from '../../../sources/serial/line/serial-port.ts';
import type { HandlerParts } from '../handler-parts.ts';
import { expectReal } from '../settings/settings-handlers.ts';
import { describeInstrument, listInstruments } from './instruments.ts';
import { lookAtLine, lookForInstrument } from './line-look.ts';
import { listFolders } from './list-folders.ts';
import { Looks } from './looks.ts';
import { parseEntry } from './parse-entry.ts';

type Entry = Argument<'source', 'save'>['entry'];
type Entries = NonNullable<SettingsInput['sources']>;

/** The calls that set up sources. */
export function sourceHandlers(parts: HandlerParts): Handlers['source'] {
  const looks = new Looks(parts.clock);
  return {
    list: async () => (parts.isTrial() || parts.snapshot().phase === 'first-run' ? [] : await readEntries(parts)),
    listPorts: async () => ports(parts.isTrial() ? undefined : parts.pipeline()?.settings),
    listInstruments: async () => [...listInstruments()],
    describeInstrument: async (asked) => describeInstrument(asked),
    listFolders: ({ typed }) => listFolders(typed, parts.settingsFile),
    listDialects: async () => shippedDialects().map(({ name }) => name),
    previewLog: async (asked) => previewFolder(parts, asked),
    startLook: async ({ entry }) => {
      const other = { message: 'only an instrument on a line is looked at so', hint: 'Choose an instrument.' };
      const settings = parseEntry(entry, parts.settingsFile, 'serial', other);
      const lines = isRecorded(parts, settings) ? (parts.pipeline()?.lines ?? null) : null;
      return { lookId: await looks.add(lookAtLine(settings, lines, parts.clock)) };
    },
    startProbe: async ({ port }) => ({ lookId: await looks.add(lookForInstrument(port.trim())) }),
    readLook: async ({ lookId }) => looks.read(lookId),
    endLook: async ({ lookId }) => {
      await looks.end(lookId);
      return null;
    },
    save: async ({ entry, isNew }, caller) => {
      expectReal(parts);
      await parts.change((current) => withEntry(current, entry, isNew), caller);
      return null;
    },
    remove: async ({ id }, caller) => {
      expectReal(parts);
      const without = (current: SettingsInput | null) => ({
        ...present(current),
        sources: (current?.sources ?? []).filter((one) => one.id !== id),
      });
      await parts.change(without, caller);
      return null;
    },
  };
}

async function readEntries(parts: HandlerParts): Promise<Entry[]> {
  const { input } = await readParsed(parts.settingsFile);
  return (input.sources ?? []) as Entry[];
}

function present(current: SettingsInput | null): SettingsInput {
  if (current) return current;
  throw new AgentError({
    code: 'settings.missing',
    message: 'There is no settings file.',
    hint: 'Connect your tool first.',
  });
}

function withEntry(current: SettingsInput | null, entry: Entry, isNew: boolean): SettingsInput {
  const sources = present(current).sources ?? [];
  const isThere = sources.some(({ id }) => id === entry.id);
  // The settings' own schema says what is wrong with it; nothing is saved then.
  const wanted = entry as unknown as Entries[number];
  if (isThere && isNew) {
    const hint = 'Give this one another name.';
    throw new AgentError({ code: 'source.name-taken', message: `There is a source named ${entry.id} already.`, hint });
  }
  if (!isThere && !isNew) {
    const hint = 'Somebody has removed it from the settings. Add it again.';
    throw new AgentError({ code: 'source.gone', message: `There is no source named ${entry.id} any more.`, hint });
  }
  if (isNew) return { ...present(current), sources: [...sources, wanted] };
  return { ...present(current), sources: sources.map((one) => (one.id === entry.id ? wanted : one)) };
}

const portKey = (port: SerialSourceSettings['port']) =>
  typeof port === 'string' ? port.toLowerCase() : JSON.stringify(port);

/** A source of the run has this line: the look joins it, since a port is opened once. */
function isRecorded(parts: HandlerParts, { port }: SerialSourceSettings): boolean {
  const sources = parts.pipeline()?.settings.sources ?? [];
  return sources.some((source) => source.kind === 'serial' && portKey(source.port) === portKey(port));
}

async function ports(settings: Settings | undefined): Promise<Value<'source', 'listPorts'>> {
  const serial = (settings?.sources ?? []).flatMap((source) => (source.kind === 'serial' ? [source] : []));
  try {
    const found = await listPorts();
    return {
      ports: found.map(({ path, serialNumber, vendorId, productId, manufacturer }) => ({
        path,
        serialNumber: serialNumber ?? null,
        vendorId: vendorId ?? null,
        productId: productId ?? null,
        maker: manufacturer ?? '',
        usedBy: serial
          .filter(({ port }) => port === path || (typeof port !== 'string' && port.usbSerial === (serialNumber ?? '')))
          .map(({ id }) => id),
      })),
      problem: '',
    };
  } catch (thrown) {
    return { ports: [], problem: `This PC does not tell its ports: ${toAgentError(thrown).message}` };
  }
}

/** Channels shown of each answer to a question. */
const SHOWN_MAX = 4;

async function previewFolder(
  parts: HandlerParts,
  asked: Argument<'source', 'previewLog'>,
): Promise<Value<'source', 'previewLog'>> {
  const folder = isWholePath(asked.folder) ? asked.folder : resolve(dirname(parts.settingsFile), asked.folder);
  const dialect = asked.dialect as string | DialectInput;
  const preview = await previewLogFolder({ ...asked, folder, dialect });
  const answers = await Promise.all(
    preview.answers.map(async ({ dialect: answer, text }) => {
      const { rows, channels, problem } = await previewLogFolder({ ...asked, folder, dialect: answer, timeFormat: '' });
      const [first] = problem === '' ? rows : [];
      return {
        dialect: { ...answer },
        text,
        firstMs: first?.timeMs ?? null,
        channels: channels.slice(0, SHOWN_MAX).map((name, at) => ({ name, value: first?.values[at] ?? null })),
        problem,
      };
    }),
  );
  return { ...preview, answers };
}
