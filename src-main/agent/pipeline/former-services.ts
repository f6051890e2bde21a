// What still waits for services that the settings no longer name. Of each the streams have ended; what they hold goes one of
// three ways, and a person can take another one at any time while something waits:
//
//   send   to the service where it was begun, over a line of its own. The service inside this program runs on for that, and
//          nobody is asked; one at an address is sent to once a person has said so.
//   move   to the service that the settings name now, as new streams. What stays behind is what the former one acknowledged.
//   keep   here. It is no trouble any more.
//
// Invariants: a stream is sent by one uploader at most; a key goes to the address that it was given for alone. Bound: one line
// and one client for each former service that is sent to, until the run ends.
import type { FormerData, UploadService } from '../../delivery/upload/ports.ts';
import { Uploader, type UploaderOptions } from '../../delivery/upload/uploader.ts';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import type { FormerChoice, FormerWaiting } from '../../model/queue.ts';
import { Turn } from '../../model/turn.ts';
import type { Store } from '../../queue/store/store.ts';
import { resendOf } from '../../settings/schema.ts';
import { EMBEDDED, type ServiceLink } from '../service-link/service-link.ts';
import type { FormerFact, UploadFact } from '../status/facts.ts';
import { serviceName } from '../status/words.ts';
import type { Journal } from './journal.ts';

export interface FormerOptions {
  readonly store: Store;
  /** What streams of the service that the settings name are bound to. */
  readonly named: string;
  /** Reach a service again; rejects as `openServiceLink`. */
  readonly open: (service: string) => Promise<ServiceLink>;
  /** Put the gates of this run before its calls. */
  readonly gate: (link: ServiceLink) => UploadService;
  /** What uploaders of this run share. */
  readonly shared: Omit<
    UploaderOptions,
    'service' | 'serviceAddress' | 'finalizePath' | 'former' | 'onLine' | 'isNamed'
  >;
  readonly cutter: FormerData['cutter'];
  /** Streams that the service named in the settings takes now. */
  readonly onMoved: (streamIds: readonly number[]) => Promise<void>;
  readonly hasKey: (service: string) => boolean;
  readonly journal: Journal;
  readonly onChange: () => void;
}

interface FormerRun {
  readonly link: ServiceLink;
  readonly uploader: Uploader;
}

export class FormerServices {
  readonly #options: FormerOptions;
  readonly #runs = new Map<string, FormerRun>();
  readonly #problems = new Map<string, AgentError>();
  #last: readonly FormerFact[] = [];
  /** Changes happen one after the other. */
  readonly #turn = new Turn();
  #isStopped = false;

  constructor(options: FormerOptions) {
    this.#options = options;
  }

  /**
   * Go on with what waits: what the service inside this program holds, and what a person chose before.
   *
   * @throws those of the store.
   */
  async start(): Promise<void> {
    const { store, named } = this.#options;
    // It is the named one again: what was chosen for it as a former one no longer holds.
    await store.chooseFormer(named, null);
    for (const { service, choice } of await store.formerServices(named))
      if (choice === 'send' || (choice === null && service === EMBEDDED))
        await this.#turn.take(() => this.#run(service));
    await this.facts();
  }

  /** End it; requests under way are given up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn.over();
    await Promise.all([...this.#runs.values()].map(({ uploader }) => uploader.stop()));
  }

  /** Close what leads to the former services, after `stop`. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ link }) => link.stop()));
  }

  /** Streams whose state on disk changed. */
  async notify(streamIds: readonly number[]): Promise<void> {
    for (const { uploader } of this.#runs.values()) await uploader.notify(streamIds);
  }

  /** Try at once. */
  release(): void {
    for (const { uploader } of this.#runs.values()) uploader.release();
  }

  /** The client for streams of a service; null: it is none that is sent to now. */
  clientOf(service: string): ServiceLink['client'] | null {
    return this.#runs.get(service)?.link.client ?? null;
  }

  /** What `facts` said last. */
  get last(): readonly FormerFact[] {
    return this.#last;
  }

  /** What waits for each, the oldest first. */
  async facts(): Promise<readonly FormerFact[]> {
    const { store, named } = this.#options;
    const waiting = await store.formerServices(named);
    this.#last = waiting.map((row) => this.#factOf(row));
    return this.#last;
  }

  /** What the uploads of their streams do, by stream id; those that nobody sends say why. */
  views(): ReadonlyMap<number, UploadFact> {
    const views = new Map<number, UploadFact>();
    for (const { service, streamIds, state } of this.#last) {
      const sent = this.#runs.get(service)?.uploader.views();
      for (const id of streamIds) {
        const own = sent?.get(id);
        if (own) views.set(id, own);
        else if (state !== 'sending') views.set(id, { state: NOT_SENT[state](service), isOnLine: false });
      }
    }
    return views;
  }

  /**
   * Take one of the ways with all that waits for a service.
   *
   * @throws `former.key` where none is known for it; those of the store, of `openServiceLink`, and of moving: what was moved
   *   before stays moved, and asking again goes on.
   */
  choose(service: string, way: FormerChoice | 'move'): Promise<void> {
    return this.#turn.take(() => this.#choose(service, way));
  }

  async #choose(service: string, way: FormerChoice | 'move'): Promise<void> {
    const { store, named, onChange } = this.#options;
    if (this.#isStopped) return;
    const found = (await store.formerServices(named)).find((one) => one.service === service);
    if (found === undefined) return;
    if (way === 'send') {
      await this.#run(service);
      const problem = this.#problems.get(service);
      if (problem) throw problem;
    } else await this.#end(service);
    if (way === 'move') await this.#move(found);
    else await store.chooseFormer(service, way);
    this.#tell(found, way);
    await this.facts();
    onChange();
  }

  async #run(service: string): Promise<void> {
    const { open, gate, shared, hasKey, onChange } = this.#options;
    if (this.#runs.has(service) || this.#isStopped) return;
    this.#problems.delete(service);
    try {
      if (service !== EMBEDDED && !hasKey(service)) throw noKey(service);
      const link = await open(service);
      const uploader = new Uploader({
        ...shared,
        // What the named service does with a repeated chunk says nothing of this one.
        policy: { ...shared.policy, resend: resendOf({ url: service }) },
        service: gate(link),
        serviceAddress: service,
        finalizePath: null,
        isNamed: false,
        onLine: onChange,
      });
      this.#runs.set(service, { link, uploader });
      await uploader.start();
    } catch (thrown) {
      this.#problems.set(service, toAgentError(thrown));
    }
  }

  async #end(service: string): Promise<void> {
    const run = this.#runs.get(service);
    this.#problems.delete(service);
    this.#runs.delete(service);
    await run?.uploader.stop();
    await run?.link.stop();
  }

  async #move({ streamIds, service }: FormerWaiting): Promise<void> {
    const { store, cutter, onMoved, shared } = this.#options;
    for (const id of streamIds) {
      await cutter.close(id);
      const stream = await store.uploadStream(id);
      if (stream === null || stream.service !== service) continue;
      if (stream.dataId === null) {
        await store.unmarkInitializeSent(id, stream.name);
        await onMoved([id]);
        continue;
      }
      const rest = await cutter.begin(id);
      const nothingHeld: ReadonlyMap<number, Uint8Array> = new Map();
      await store.recut(id, nothingHeld, [], rest, shared.clock.nowMs());
      await onMoved([rest.ids.stream]);
    }
  }

  #factOf(row: FormerWaiting): FormerFact {
    const { service, choice } = row;
    const hasKey = service === EMBEDDED || this.#options.hasKey(service);
    const told = this.#problems.get(service) ?? this.#runs.get(service)?.uploader.lineFault;
    const said = { message: told?.message ?? '', hint: told?.hint ?? '' };
    if (choice === 'keep') return { ...row, state: 'kept', hasKey, message: '', hint: '' };
    const isHeld = this.#problems.has(service) || isForPerson(this.#runs.get(service)?.uploader.lineFault?.trouble);
    return { ...row, ...said, hasKey, state: this.#runs.has(service) && !isHeld ? 'sending' : 'asks' };
  }

  #tell({ points, service }: FormerWaiting, way: FormerChoice | 'move'): void {
    const { journal, shared } = this.#options;
    const message = `${points} points that were recorded for ${serviceName(service)} ${TOLD[way]}.`;
    // Each is an act of a person, never a repeat of another one.
    const about = `${service} ${shared.clock.nowMs()}`;
    journal.record({ level: 'info', code: `former.${way}`, message, hint: '' }, about);
  }
}

const TOLD = { send: 'go there', move: 'go to the service that the settings name', keep: 'stay on this PC' } as const;

const CHOICES = 'Send them there, send them to the service that the settings name, or keep them here: on the page Now.';
const NOT_SENT = {
  asks: (service: string) => ({
    kind: 'blocked' as const,
    reason: {
      message: `This stream was recorded for ${serviceName(service)}, and the settings name another service now.`,
      hint: CHOICES,
    },
  }),
  kept: (service: string) => ({
    kind: 'kept' as const,
    reason: { message: `Recorded for ${serviceName(service)}. It stays on this PC, as you chose.`, hint: '' },
  }),
} as const;

const isForPerson = (trouble: string | undefined) =>
  trouble === 'key' || trouble === 'foreign' || trouble === 'certificate';

function noKey(service: string): AgentError {
  return new AgentError({
    code: 'former.key',
    message: `No API key is known for ${service}.`,
    hint: 'Enter the key of that service, send the points to the service that the settings name, or keep them here.',
    retry: 'after-human',
  });
}
