// One line of the soak: its instruments behind a pseudo-terminal, and what is done to it by a seed. Noise, cut, late and
// missing replies are decided for each answer; besides, the line is unplugged or switched off now and then, and somebody sets
// another unit at the front where there is one.

import { bytesOf, textOf } from '../../src-main/sources/serial/protocol/bytes.ts';
import type { Chance } from '../simulation/random.ts';
import { type Answer, type Dialog, InstrumentEmulator } from '../support/serial/instrument-emulator.ts';
import { Pty } from '../support/serial/pty.ts';
import { Front } from './front.ts';
import type { SoakLine, SoakQuestion, SoakReading } from './instruments.ts';
import { steadyClock } from './steady-clock.ts';
import { ChannelTruth, type Deed, type Outage } from './truth.ts';

/** How often a reply suffers each deed, of 1. */
const DEEDS: readonly (readonly [Deed, number])[] = [
  ['noise', 0.02],
  ['cut', 0.02],
  ['late', 0.02],
  ['silence', 0.02],
];
/** What tells a unit suffers so many times as often: about every third. */
const UNIT_DEEDS = 4;
/** A late reply comes after so many times the longest wait of the agent. */
const LATE = { least: 1.05, most: 2.6 };
/** A free-running gauge says a frame so often, milliseconds. */
const FRAME_MS = 100;
/** Bytes that stand in replies: where nothing checks them, one for another cannot be noticed by anybody. */
const MEANING = /[0-9.,+\-CEFeOK\r\n]/;

export interface TroubledLineOptions {
  readonly line: SoakLine;
  readonly chance: Chance;
  /** Longest wait of the agent for a reply, milliseconds. */
  readonly timeoutMs: number;
  readonly everyMs: number;
  /** Between two outages, milliseconds, least and most. */
  readonly restMs: readonly [number, number];
  /** Between two changes of a unit, milliseconds, least and most, and the unit under which the agent keeps a channel now. */
  readonly turns?: {
    readonly restMs: readonly [number, number];
    readonly known: (sourceId: string, channel: string) => string | undefined;
  };
}

export class TroubledLine {
  readonly truths: ChannelTruth[] = [];
  readonly outages: Outage[] = [];
  readonly deeds: Record<Deed | 'stray noise', number> = {
    ...{ whole: 0, noise: 0, cut: 0, late: 0, silence: 0 },
    'stray noise': 0,
  };
  /** What was done to replies that tell a unit. */
  readonly unitDeeds: Record<Deed, number> = { whole: 0, noise: 0, cut: 0, late: 0, silence: 0 };
  readonly #options: TroubledLineOptions;
  readonly #readings = new Map<string, { reading: SoakReading; truth: ChannelTruth }>();
  readonly #fronts = new Map<string, Front>();
  readonly #stopped = new AbortController();
  readonly #loops: Promise<void>[] = [];
  /** When questions came in, Unix ms. */
  readonly #asks: number[] = [];
  #emulator!: InstrumentEmulator;
  #pty!: Pty;
  #isOff = false;
  /** Somebody would have heard something since it was switched off. */
  #wasMissed = false;
  /** Nothing is said before: an instrument answers in the order it was asked. Monotonic clock. */
  #saysFromMs = 0;

  private constructor(options: TroubledLineOptions) {
    this.#options = options;
  }

  /** Plug a line in; nothing is done to it before `begin`. */
  static async plug(options: TroubledLineOptions): Promise<TroubledLine> {
    const line = new TroubledLine(options);
    line.#emulator = await InstrumentEmulator.start(options.line.questions.map((question) => line.#dialog(question)));
    line.#emulator.interfere = (answer) => line.#answer(answer);
    if (options.line.frame) line.#register(options.line.frame, false);
    line.#pty = await Pty.plug(line.#emulator.tcpPort);
    return line;
  }

  get path(): string {
    return this.#pty.path;
  }

  get name(): string {
    return this.#options.line.name;
  }

  /** How often a unit was changed at a front. */
  get turns(): number {
    return [...this.#fronts.values()].reduce((sum, { turns }) => sum + turns, 0);
  }

  begin(): void {
    this.#loops.push(this.#makeOutages(), this.#makeNoise(), ...this.#turnFronts());
    if (this.#options.line.frame) this.#loops.push(this.#talk(this.#options.line.frame));
  }

  /** Leave it in peace, plugged in and switched on. */
  async calm(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#loops);
  }

  async remove(): Promise<void> {
    await this.calm();
    await this.#pty.remove();
    await this.#emulator.stop();
  }

  #register(reading: SoakReading, isAsked: boolean): string {
    const { sourceId, channel } = reading;
    // A gauge that talks is expected to do so once a second at least (its profile).
    const everyMs = isAsked ? this.#options.everyMs : 1000;
    const truth = new ChannelTruth({ sourceId, channel, everyMs, isAsked }, this.#asks);
    this.truths.push(truth);
    const key = `${sourceId} ${channel}`;
    this.#readings.set(key, { reading, truth });
    return key;
  }

  /** Answers of the emulator are names of readings, fronts behind a `?`, or the bytes themselves behind an `=`. */
  #dialog({ in: question, out, next = [] }: SoakQuestion): Dialog {
    const answer = this.#nameOf(out);
    return { in: question, out: bytesOf(answer), next: next.map((one) => this.#dialog(one)) };
  }

  #nameOf(out: SoakQuestion['out']): string {
    if (out instanceof Uint8Array) return `=${textOf(out)}`;
    if (!(out instanceof Front)) return this.#register(out, true);
    this.#fronts.set(out.name, out);
    return `?${out.name}`;
  }

  #answer(named: Uint8Array): Answer | null {
    if (this.#isOff) {
      this.#wasMissed = true;
      return null;
    }
    this.#asks.push(steadyClock.nowMs());
    const text = textOf(named);
    const front = this.#fronts.get(text.startsWith('?') ? text.slice(1) : '');
    const deed = this.#pickDeed(front ? UNIT_DEEDS : 1);
    if (front) this.unitDeeds[deed] += 1;
    else this.deeds[deed] += 1;
    const bytes = front
      ? bytesOf(`${front.now.told}\r\n`)
      : text.startsWith('=')
        ? named.subarray(1)
        : this.#say(text, deed);
    if (deed === 'silence') return null;
    const { chance, timeoutMs } = this.#options;
    const nowMs = steadyClock.monotonicMs();
    const late = LATE.least + chance.next() * (LATE.most - LATE.least);
    const ownMs = deed === 'late' ? timeoutMs * late : chance.between(0, 15);
    this.#saysFromMs = Math.max(nowMs + ownMs, this.#saysFromMs + 2);
    return { bytes: this.#spoil(bytes, deed), delayMs: Math.ceil(this.#saysFromMs - nowMs) };
  }

  #say(key: string, deed: Deed): Uint8Array {
    const { reading, truth } = this.#readings.get(key) as { reading: SoakReading; truth: ChannelTruth };
    const n = truth.said.length;
    const { unit } = reading;
    truth.add(reading.value(n), steadyClock.nowMs(), deed, unit instanceof Front ? unit.now.unit : unit);
    return reading.write(n);
  }

  #pickDeed(times = 1): Deed {
    let left = this.#options.chance.next() / times;
    for (const [deed, share] of DEEDS) {
      if (left < share) return deed;
      left -= share;
    }
    return 'whole';
  }

  #spoil(bytes: Uint8Array, deed: Deed): Uint8Array {
    const { chance } = this.#options;
    if (deed === 'cut') return bytes.subarray(0, chance.between(0, bytes.length - 1));
    if (deed !== 'noise') return bytes;
    const at = chance.between(0, bytes.length);
    // In place of a byte, or between two.
    const rest = at + chance.between(0, 1);
    return Uint8Array.of(...bytes.subarray(0, at), ...this.#noise(1), ...bytes.subarray(rest));
  }

  #noise(count: number): number[] {
    const { chance, line } = this.#options;
    const noise: number[] = [];
    while (noise.length < count) {
      const byte = chance.between(0, 255);
      if (line.hasCheck || !MEANING.test(String.fromCharCode(byte))) noise.push(byte);
    }
    return noise;
  }

  async #talk(frame: SoakReading): Promise<void> {
    const key = `${frame.sourceId} ${frame.channel}`;
    while (!this.#stopped.signal.aborted) {
      await steadyClock.sleep(FRAME_MS, this.#stopped.signal);
      if (this.#isOff) this.#wasMissed = true;
      if (this.#isOff || !this.#emulator.isConnected) continue;
      const deed = this.#pickDeed();
      // A frame is an answer to nothing: it cannot be late.
      const done = deed === 'late' ? 'silence' : deed;
      this.deeds[done] += 1;
      const bytes = this.#say(key, done);
      if (done !== 'silence') this.#emulator.send(this.#spoil(bytes, done));
    }
  }

  /** Bytes that nothing asked for, between replies and into them. */
  async #makeNoise(): Promise<void> {
    const { chance } = this.#options;
    while (!this.#stopped.signal.aborted) {
      await steadyClock.sleep(chance.between(500, 12_000), this.#stopped.signal);
      if (this.#stopped.signal.aborted || !this.#emulator.isConnected) continue;
      this.deeds['stray noise'] += 1;
      this.#emulator.send(Uint8Array.from(this.#noise(chance.between(1, 4))));
    }
  }

  /** Somebody sets another unit, now and then. */
  #turnFronts(): Promise<void>[] {
    const { chance, turns } = this.#options;
    if (!turns) return [];
    const { signal } = this.#stopped;
    return [...this.#fronts.values()].map(async (front) => {
      const shown = [...this.#readings.values()].find(({ reading }) => reading.unit === front)?.reading;
      if (!shown) return;
      for (;;) {
        await steadyClock.sleep(chance.between(...turns.restMs), signal);
        if (signal.aborted) return;
        front.turn(turns.known(shown.sourceId, shown.channel));
      }
    });
  }

  async #makeOutages(): Promise<void> {
    const { chance, restMs } = this.#options;
    const { signal } = this.#stopped;
    for (;;) {
      await steadyClock.sleep(chance.between(...restMs), signal);
      if (signal.aborted) return;
      const fromMs = steadyClock.nowMs();
      const isPulled = chance.happens(0.6);
      const lastsMs = chance.between(200, 6000);
      if (isPulled) await this.#pty.unplug();
      else this.#isOff = true;
      this.#wasMissed = isPulled;
      await steadyClock.sleep(lastsMs, signal);
      if (isPulled) await this.#pty.plugIn();
      else this.#isOff = false;
      // Switched on again before anything was asked: nothing was to be heard of it.
      if (!this.#wasMissed) continue;
      const kind = isPulled ? 'unplugged' : 'switched off';
      this.outages.push({ line: this.name, kind, fromMs, toMs: steadyClock.nowMs() });
    }
  }
}
