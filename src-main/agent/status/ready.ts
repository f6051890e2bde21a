// The ready-to-grow light: what an operator would look at before a run, each with its reason in a sentence.
import type { RunningGrowth } from '../../contract/growth.ts';
import type { ReadyRow, ServiceView, SourceView, StoreView } from '../../contract/snapshot.ts';
import { formatDuration } from '../../model/format.ts';

/** What is known of clock and instrument, beside what the snapshot shows. */
export interface ReadyFacts {
  /** False while the wall clock of this PC cannot be right. */
  readonly isClockPlausible: boolean;
  readonly timeZone: string;
  /** Number of the growth instrument that streams are linked with; null: none. */
  readonly synthSourceId: number | null;
}

/** Whether the PC stays awake. */
export interface AwakeFact {
  /** False: the settings let it sleep. */
  readonly isWanted: boolean;
  /** Why it may fall asleep all the same; null: it does not. */
  readonly problem: string | null;
}

export interface ReadyParts {
  readonly nowMs: number;
  readonly facts: ReadyFacts;
  readonly service: ServiceView | null;
  readonly sources: readonly SourceView[];
  readonly store: StoreView | null;
  readonly growth: RunningGrowth | null;
  readonly awake: AwakeFact;
}

type Judged = Omit<ReadyRow, 'id'>;

const row = (state: ReadyRow['state'], reason: string): Judged => ({ state, reason });

/**
 * Judge whether all is well for a growth.
 *
 * @returns the eight rows, always in this order. What is not known is never called well.
 */
export function judgeReady(parts: ReadyParts): ReadyRow[] {
  return [
    { id: 'log', ...judgeSources(parts, 'log', 'log folder', ['was written', 'was last written']) },
    { id: 'clock', ...judgeClock(parts) },
    { id: 'key', ...judgeKey(parts) },
    { id: 'instrument', ...judgeInstrument(parts) },
    { id: 'sample', ...judgeSample(parts) },
    { id: 'buffer', ...judgeBuffer(parts) },
    { id: 'counter', ...judgeSources(parts, 'rheed', 'frame counter', ['counted', 'last counted']) },
    { id: 'awake', ...judgeAwake(parts) },
  ];
}

function judgeSources(
  { nowMs, sources }: ReadyParts,
  kind: SourceView['kind'],
  noun: string,
  [verb, late]: readonly [string, string],
): Judged {
  const own = sources.filter((source) => source.kind === kind);
  if (own.length === 0) return row('none', `There is no ${noun} in the settings.`);
  const down = own.find(({ health }) => health === 'gone');
  if (down) return row('missing', `Source ${down.id} is not recorded: ${down.message}`);
  const aged = own.map(({ id, lastCaptureMs }) => ({
    id,
    ageMs: lastCaptureMs === null ? null : nowMs - lastCaptureMs,
  }));
  const silent = aged.find(({ ageMs }) => ageMs === null);
  if (silent) return row('warn', `Nothing has come from ${silent.id} since this agent started.`);
  const oldest = aged.reduce((one, other) => ((other.ageMs ?? 0) > (one.ageMs ?? 0) ? other : one));
  const agoWords = `${formatDuration(Math.max(0, Math.round((oldest.ageMs ?? 0) / 1000) * 1000))} ago`;
  if (own.some(({ health }) => health === 'silent' || health === 'idle'))
    return row('warn', `${oldest.id} ${late} ${agoWords}.`);
  const others = own.length > 1 ? ' at the latest' : '';
  return row('ok', `${oldest.id} ${verb} ${agoWords}${others}.`);
}

function judgeAwake({ awake: { isWanted, problem } }: ReadyParts): Judged {
  if (!isWanted)
    return row('none', 'The settings let this PC sleep (keep_awake: false). A sleeping PC records nothing.');
  if (problem === null) return row('ok', 'This PC stays awake while Epistream records.');
  return row('warn', `This PC may fall asleep and record nothing: ${problem} Switch sleep off in its power settings.`);
}

function judgeClock({ facts: { isClockPlausible, timeZone }, sources }: ReadyParts): Judged {
  if (!isClockPlausible) return row('missing', 'The clock of this PC is wrong. Set it; sending is paused until then.');
  const off = sources.flatMap(({ notes }) => notes).find(({ code }) => code === 'log.tool-clock');
  if (off) return row('warn', off.message);
  return row('ok', `The clock looks plausible; times without a zone are read as ${timeZone}.`);
}

function judgeKey({ service }: ReadyParts): Judged {
  if (!service) return row('missing', 'No service is named.');
  if (service.isEmbedded) return row('ok', 'The service inside this agent needs no key.');
  if (service.needsKey) return row('missing', service.message);
  if (service.state === 'connected') return row('ok', 'The service takes the key.');
  if (service.state === 'unknown') return row('warn', 'Nothing has been sent yet, so the key was not tried.');
  return row('warn', 'The key cannot be tried now: the service card says why.');
}

function judgeInstrument({ facts: { synthSourceId } }: ReadyParts): Judged {
  if (synthSourceId === null) return row('warn', 'No tool chosen for the service. Choose one in Library.');
  return row('ok', `Streams are linked with instrument ${synthSourceId}.`);
}

function judgeSample({ growth }: ReadyParts): Judged {
  if (!growth) return row('none', 'No growth is under way.');
  if (growth.state === 'asks')
    return row('warn', 'The agent was restarted during this growth: continue it, or begin a new one.');
  const [waits] = growth.waits;
  if (waits) return row('warn', waits.message);
  if (growth.newSampleName !== null) return row('ok', `The new sample "${growth.newSampleName}" was made.`);
  if (growth.sampleId !== null) return row('ok', 'A sample is chosen.');
  return row('missing', 'No sample is chosen for this growth.');
}

function judgeBuffer({ store }: ReadyParts): Judged {
  if (!store) return row('missing', 'There is no buffer.');
  if (store.state === 'away') return row('missing', `Nothing is sent: ${store.message}`);
  if (store.state !== 'ok') return row('missing', `New data cannot be stored: ${store.message}`);
  if (store.fill === 'short' || store.freeBytes === null) return row('warn', store.fillText);
  return row('ok', store.fillText);
}
