// A day of an operator in a real browser, in real time: the built agent as a process that is killed, the service as another
// one, an instrument behind a pseudo-terminal that falls silent and whose cable is pulled, a log that stops, a camera. A page
// and a wall view are open all the time, and a watcher in each keeps what it shows. The test prints that as a table, and expects
// of each part that the headlines come in their order, none of them twice, and that no page shows values as present for longer
// than their source may be without data.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { makeImageWriter } from '../../../src-main/sources/simulator/camera-images.ts';
import { meaningOf } from '../../../src-renderer/frame/announced.ts';
import { freePort } from '../../support/free-port.ts';
import { button, combobox, field, link, panel } from '../../support/page/on-page.ts';
import { openLink } from '../../support/page/screen.ts';
import { type AgentProcess, readStatus, runAgent, startAgent } from '../../support/processes/agent-process.ts';
import { SCREEN_LINK } from '../../support/rigs/outage-walk.ts';
import { asItIs, InstrumentEmulator } from '../../support/serial/instrument-emulator.ts';
import { hasPty, Pty } from '../../support/serial/pty.ts';
import { readTranscript } from '../../support/serial/transcript.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'key-of-the-operator-story';
/** The tool writes the time of this zone, one hour ahead of UTC all year, and says nowhere that it does. */
const TOOL_ZONE = 'Africa/Lagos';
const TOOL_AHEAD_MS = 3_600_000;
const COLOURS = { ok: 'green', busy: 'blue', attention: 'orange', stopped: 'grey' } as const;
type Tone = keyof typeof COLOURS;

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

/** Do something a few times a second until the test ends or somebody stops it; it can go on. */
function repeat(everyMs: number, work: () => void) {
  let timer = setInterval(work, everyMs);
  const stop = () => clearInterval(timer);
  onTestFinished(stop);
  const goOn = () => {
    timer = setInterval(work, everyMs);
  };
  return { stop, goOn };
}

/** The program of the tool: a row each half second, with a time of its own zone. */
function startTool(folder: string) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'run.csv');
  appendFileSync(file, 'time;T_Substrat (°C);p_Kammer (mbar)\n');
  let rows = 0;
  let lastMs = 0;
  const write = () => {
    lastMs = Date.now();
    const stamp = new Date(lastMs + TOOL_AHEAD_MS).toISOString().slice(0, 23).replace('T', ' ');
    appendFileSync(file, `${stamp};${600 + (rows % 9) / 10};${(2e-9 * (1 + (rows % 5))).toExponential(1)}\n`);
    rows += 1;
  };
  write();
  return { ...repeat(500, write), lastMs: () => lastMs };
}

function startCamera(folder: string) {
  mkdirSync(folder, { recursive: true });
  const write = makeImageWriter(folder);
  let frames = 0;
  return repeat(200, () => write(frames++));
}

async function startService(folder: string, port: number) {
  const service = startAgent(['service', '--data', folder, '--port', String(port)], { EPISTREAM_API_KEY: KEY });
  await service.waitFor(/http:\/\/127\.0\.0\.1:\d+/);
  return service;
}

async function end({ child, ended }: AgentProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

/** What a page shows at a moment. */
interface Sample {
  /** By the clock of the page, and of the snapshot that it shows, Unix milliseconds. */
  readonly atMs: number;
  readonly asOfMs: number;
  readonly tone: string;
  readonly text: string;
  readonly buttons: string;
  readonly rest: string;
  /** Names of the values that are shown as present. */
  readonly present: readonly string[];
  /** True: something of it is below the edge of the window. */
  readonly isCut: boolean;
}

/** Runs in the page and hands over what it shows, five times a second. */
function sampleAlways(): void {
  const textOf = (one: Element) => (one as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim();
  const sample = (): Sample | null => {
    const banner = document.querySelector<HTMLElement>('[data-testid="sentence"]');
    const heading = banner?.querySelector('h1');
    if (!banner || !heading) return null;
    const values = [
      ...document.querySelectorAll<HTMLElement>('[data-wall] li, [data-testid="values"] li > [data-old]'),
    ];
    return {
      atMs: Date.now(),
      asOfMs: Date.parse(banner.querySelector('time')?.dateTime ?? ''),
      tone: banner.dataset.tone ?? '',
      text: textOf(heading),
      buttons: [...banner.querySelectorAll('a, button:not([class*="zone"])')].map(textOf).filter(Boolean).join(', '),
      rest: [...banner.querySelectorAll('[data-testid="other-troubles"] li')].map((one) => one.textContent).join(' + '),
      present: values
        .filter((one) => one.dataset.old === 'false' && /\d/.test(one.innerText))
        .map((one) => one.querySelector('bdi')?.textContent ?? ''),
      isCut: document.documentElement.scrollHeight > innerHeight,
    };
  };
  setInterval(() => {
    const taken = sample();
    if (taken) (window as unknown as { keepSample: (one: Sample) => void }).keepSample(taken);
  }, 200);
}

/** Keep all that a page shows, from now on, also after it is loaded again. */
async function watch(page: Page): Promise<Sample[]> {
  const samples: Sample[] = [];
  await page.exposeFunction('keepSample', (one: Sample) => samples.push(one));
  await page.addInitScript(sampleAlways);
  await page.evaluate(sampleAlways);
  return samples;
}

/** A headline that a part of the story may show. */
type State = readonly [tone: Tone, words: RegExp];

const shows = (sample: Sample | undefined, [tone, words]: State) =>
  sample !== undefined && sample.tone === tone && words.test(sample.text);

interface Part {
  /** Headlines in their order; each may be left out but the last, and none comes again. */
  readonly states: readonly State[];
  /** What stands below the headline at the end. */
  readonly rest?: readonly RegExp[];
  /** Of a source that stops: its id, the names of its values, and when it gave data last, Unix milliseconds. */
  readonly stops?: { readonly id: string; readonly values: RegExp; readonly lastMs: () => number };
}

/** Samples that a page must go on showing the last headline of a part for. */
const STAYS = 12;

/** What the pages show, part by part. */
class Story {
  readonly table: string[] = [];
  readonly faults: string[] = [];
  readonly #pages: { readonly name: string; readonly samples: Sample[]; from: number }[] = [];
  readonly #dataFolder: string;
  #before: readonly State[] = [];

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  async add(name: string, page: Page): Promise<void> {
    this.#pages.push({ name, samples: await watch(page), from: 0 });
  }

  /** Do something, and wait until each page has shown the last of the headlines for some time. */
  async part(name: string, cause: () => unknown, { states, rest = [], stops }: Part): Promise<void> {
    const lateAfterMs = stops === undefined ? 0 : await this.#lateAfterMs(stops.id);
    for (const page of this.#pages) page.from = page.samples.length;
    const beganMs = Date.now();
    await cause();
    const end = states.at(-1) as State;
    const isShown = (sample: Sample) => shows(sample, end) && rest.every((line) => line.test(sample.rest));
    for (const page of this.#pages) {
      const newest = () => page.samples.slice(page.from).slice(-STAYS);
      await eventually(() => newest().filter(isShown).length, { timeout: 240_000 }).toBe(STAYS);
    }
    for (const page of this.#pages) {
      const shown = page.samples.slice(page.from);
      this.#judge(`${name}, ${page.name}`, shown, states);
      if (stops !== undefined) this.#judgeAges(`${name}, ${page.name}`, shown, { ...stops, lateAfterMs });
      const cut = shown.find(({ isCut }) => isCut);
      if (page.name === 'wall' && cut) this.faults.push(`${name}: the wall is cut off: ${cut.text}`);
      this.#write(name, page.name, { shown, beganMs: stops?.lastMs() ?? beganMs, states });
    }
    this.#before = [end];
  }

  /** Headlines come in the order of the part, after that of the part before. */
  #judge(where: string, shown: readonly Sample[], states: readonly State[]): void {
    let at = 0;
    const order = [...this.#before, ...states];
    for (const sample of shown) {
      const next = order.findIndex((state, index) => index >= at && shows(sample, state));
      if (next < 0) {
        this.faults.push(`${where}: "${sample.tone}: ${sample.text}" behind ${at} of ${states.length}`);
        return;
      }
      at = next;
    }
  }

  /** No value is shown as present, and no headline as green, for longer than twice the limit that the agent names. */
  #judgeAges(where: string, shown: readonly Sample[], { lateAfterMs, lastMs, values }: LateSource): void {
    const late = shown.filter(({ asOfMs }) => asOfMs - lastMs() > 2 * lateAfterMs);
    if (late.length === 0) this.faults.push(`${where}: not watched for long enough`);
    const isFalse = ({ tone, present }: Sample) => tone === 'ok' || present.some((one) => values.test(one));
    const [first] = late.filter(isFalse);
    if (first) this.faults.push(`${where}: ${first.tone} at ${first.asOfMs - lastMs()} ms, ${first.present.join()}`);
  }

  #write(name: string, page: string, { shown, beganMs, states }: Shown): void {
    const meanings = shown.map(({ tone, text }) => meaningOf(tone, text));
    const changes = meanings.filter((one, at) => at > 0 && one !== meanings[at - 1]).length;
    const secondsTo = (state: State | undefined) => {
      const first = shown.find((sample) => state !== undefined && shows(sample, state));
      return first === undefined ? '-' : ((first.atMs - beganMs) / 1000).toFixed(1);
    };
    const last = shown.at(-1) as Sample;
    const seconds = states.map(secondsTo).join('; ');
    const colour = COLOURS[last.tone as Tone];
    this.table.push([name, page, last.text, colour, last.buttons || 'none', seconds, changes].join(' | '));
  }

  async #lateAfterMs(id: string): Promise<number> {
    const { sources } = await readStatus(this.#dataFolder);
    return sources.find((source) => source.id === id)?.lateAfterMs ?? Number.NaN;
  }
}

interface LateSource extends NonNullable<Part['stops']> {
  readonly lateAfterMs: number;
}

interface Shown {
  readonly shown: readonly Sample[];
  readonly beganMs: number;
  readonly states: readonly State[];
}

async function connectTool(page: Page, logs: string, address: string): Promise<void> {
  await button(page, 'Connect your tool').click();
  await field(page, 'Name of the tool').fill('MBE-1');
  await combobox(page, 'Log folder').fill(logs);
  await combobox(page, 'Time zone of its logs').fill('UTC');
  await page.getByRole('option', { name: 'UTC', exact: true }).click();
  await page.getByLabel('Remote data service').check();
  await field(page, 'Address').fill(address);
  await field(page, 'Key').fill(KEY);
  await button(page, 'Preview').click();
  await eventually(() => page.getByTestId('zone-question').innerText()).toMatch(/1 h( 0 min)? ahead of this PC/);
  await button(page, 'Continue without a preview').click();
}

async function addInstrument(page: Page, port: string): Promise<void> {
  await link(page, 'Sources').click();
  await link(page, 'Add: Instrument on a line').click();
  await field(page, 'Name of the source').fill('cryostat');
  await combobox(page, 'Port').or(field(page, 'Port')).first().fill(port);
  await combobox(page, 'Instrument').fill('336');
  await page.getByRole('option', { name: /Lake Shore 336/ }).click();
  const inputs = combobox(page, 'Inputs with a sensor').or(page.getByLabel('Inputs with a sensor')).first();
  for (const _ of 'CD') await inputs.press('Backspace');
  await button(page, /^Save/).click();
  await page.getByTestId('source-row').filter({ hasText: 'cryostat' }).getByText('Reading').waitFor();
}

async function addCamera(page: Page, frames: string): Promise<void> {
  await link(page, 'Add: RHEED frame counter').click();
  await field(page, 'Name of the source').fill('camera');
  await combobox(page, 'Folder').fill(frames);
  await field(page, 'File pattern').fill('rheed_{frame}.bmp');
  await field(page, 'Camera frame rate (per second)').fill('5');
  await button(page, /^Save/).click();
  await page.getByTestId('source-row').filter({ hasText: 'camera' }).getByText('Reading').waitFor();
}

const HEAD = 'moment | where | sentence | colour | button | seconds to each of its headlines | changes';
/** While sources are opened, and while what waited is sent. */
const SETTLING: State = [
  'busy',
  /^(Stopping\.|Starting\.|Opening the sources\.|Recording .*(No reading yet|delivered|in progress)\.)/,
];
const delivered = (sources: string): State => [
  'ok',
  new RegExp(`^Recording ${sources}\\. (All delivered|Everything older)`),
];
/** The instrument cannot be read. */
const gone = (): State => [
  'attention',
  /^Recording 2 of 3 sources\. .*Source cryostat is not recorded since [\d:]+\.$/,
];

const headline = (page: Page, [, words]: State) =>
  eventually(async () =>
    (await page.getByTestId('sentence').getByRole('heading').innerText()).replaceAll(/\s+/g, ' '),
  ).toMatch(words);

test.skipIf(!hasPty)(
  "the screen says what is so at each moment of an operator's day, without flicker, on an open page and on the wall",
  async () => {
    const data = tempFolder('story');
    const [logs, frames] = [join(data, 'tool'), join(data, 'camera')];
    const [port, former, next] = [await freePort(), await freePort(), await freePort()];
    const address = `http://127.0.0.1:${former}`;
    const tool = startTool(logs);
    startCamera(frames);
    const instrument = await InstrumentEmulator.start(readTranscript('lakeshore-336').cases[0]?.talk ?? []);
    let answeredMs = 0;
    const answers = () => {
      instrument.interfere = (bytes, question) => {
        answeredMs = Date.now();
        return asItIs(bytes, question);
      };
    };
    answers();
    const cable = await Pty.plug(instrument.tcpPort);
    onTestFinished(async () => {
      await cable.remove();
      await instrument.stop();
    });
    let service = await startService(join(data, 'service'), former);
    const run = () => startAgent(['run', '--data', data, '--ui', String(port)], { EPISTREAM_API_KEY: KEY });
    let agent = run();
    const [first] = await agent.waitFor(SCREEN_LINK);
    const { page } = await openLink(first, { isAlone: true });
    const freshLink = async () => (await runAgent(['open', '--data', data])).out.trim();
    const story = new Story(data);
    onTestFinished(() => console.log([HEAD, ...story.table, ...story.faults].join('\n')));
    const headlineLink = (name: string) => page.getByTestId('sentence').getByRole('link', { name });

    await button(page, 'Try it').waitFor();
    expect(await page.getByTestId('sentence').count()).toBe(0);
    await story.add('page', page);
    await story.part('connected with a wrong zone', () => connectTool(page, logs, address), {
      states: [SETTLING, ['busy', /^Recording 1 source\. Times of tool-log do not fit/]],
    });
    const setZone = async () => {
      await link(page, 'Sources').click();
      await link(page, 'tool-log').click();
      await combobox(page, 'Time zone of its times').fill(TOOL_ZONE);
      await page.getByRole('option', { name: TOOL_ZONE }).click();
      await button(page, 'Preview').click();
      await button(page, /^Save/).click();
    };
    await story.part('zone set right', setZone, {
      states: [SETTLING, ['ok', /^Recording 1 source\. (All delivered|Everything older than)/]],
    });
    const plugInInstrument = () => addInstrument(page, cable.path);
    await story.part('instrument added', plugInInstrument, { states: [SETTLING, delivered('2 sources')] });
    await story.part('camera added', () => addCamera(page, frames), { states: [SETTLING, delivered('3 sources')] });

    const startGrowth = async () => {
      await link(page, 'Growth').click();
      await page.getByLabel('Name', { exact: true }).fill('G3-120');
      await button(page, 'Start growth').click();
    };
    const well: State = ['ok', /^Recording 3 sources\. A growth is under way\. (All delivered|Everything older than)/];
    await story.part('growth started', startGrowth, { states: [SETTLING, well] });
    await link(page, 'Now').click();
    const { page: wall } = await openLink(await freshLink(), {
      isAlone: true,
      viewport: { width: 1920, height: 1080 },
    });
    await wall.evaluate(() => {
      location.hash = '/wall';
    });
    await wall.getByTestId('wall').waitFor();
    await story.add('wall', wall);

    const noData = (id: string, tone: Tone): State => [
      tone,
      new RegExp(`A growth is under way\\. No data from ${id} since [\\d:]+\\.$`),
    ];
    const resumed = (id: string): State => ['attention', new RegExp(`Data from ${id} resumed just now\\.$`)];
    await story.part('log stops', () => tool.stop(), {
      states: [noData('tool-log', 'busy'), noData('tool-log', 'attention')],
      stops: { id: 'tool-log', values: /T_Substrat|p_Kammer/, lastMs: tool.lastMs },
    });
    await story.part('log written again', () => tool.goOn(), { states: [resumed('tool-log'), well] });
    const mute = () => {
      instrument.interfere = () => null;
    };
    await story.part('instrument stops answering', mute, {
      states: [noData('cryostat', 'busy'), noData('cryostat', 'attention'), gone()],
      stops: { id: 'cryostat', values: /^(?!T_Substrat|p_Kammer|frame)/, lastMs: () => answeredMs },
    });
    await story.part('instrument answers again', answers, { states: [resumed('cryostat'), well] });

    const offline: State = [
      'busy',
      /^Recording 3 sources\. A growth is under way\. The service cannot be reached\. .* safe here\.$/,
    ];
    await story.part('service away', () => end(service, 'SIGTERM'), { states: [offline] });
    await story.part('and the port of the instrument gone', () => cable.unplug(), {
      states: [gone()],
      rest: [/The service cannot be reached/],
    });
    await story.part('agent killed', () => end(agent, 'SIGKILL'), {
      states: [['attention', /^Connection to the agent lost\. What you see is \d+ s old\./]],
    });
    const startAgain = () => {
      agent = run();
    };
    await story.part('agent started again', startAgain, {
      states: [SETTLING, ['attention', /Epistream was restarted during a growth/], gone()],
      rest: [/restarted during a growth/, /The service cannot be reached/],
    });
    await page.goto(await freshLink());
    const asks: State = ['attention', /^Recording 3 sources\. Epistream was restarted during a growth/];
    await story.part('port back', () => cable.plugIn(), { states: [asks] });
    const answer = async () => {
      await headlineLink('Answer').click();
      await button(page, 'Continue it').click();
    };
    await story.part('answered: the same growth', answer, { states: [offline] });
    const startBack = async () => {
      service = await startService(join(data, 'service'), former);
    };
    // The outage lasts about a minute: all that is older than a minute was delivered before it, for some seconds more.
    const minute: State = ['ok', /Everything older than 60 s is delivered\.$/];
    await story.part('service back', startBack, { states: [minute, SETTLING, well] });

    let otherKey = '';
    const changeKey = async () => {
      const { out } = await runAgent(['service', 'key', 'replace', '--data', join(data, 'service'), '--id', '1']);
      otherKey = /: (\S+)/.exec(out)?.[1] ?? '';
    };
    const refused: State = [
      'attention',
      /^Recording 3 sources\. A growth is under way\. Nothing is sent: the service refuses the key\. .* safe here\.$/,
    ];
    await story.part('key refused', changeKey, { states: [refused] });
    const enterKey = async () => {
      await headlineLink('Enter a key').click();
      await page.getByLabel('New API key').fill(otherKey);
      await button(page, 'Use this key').click();
    };
    await story.part('key entered', enterKey, { states: [SETTLING, well] });

    const nameAnother = async () => {
      await end(service, 'SIGTERM');
      await headline(page, offline);
      await startService(join(data, 'next'), next);
      await link(page, 'Settings').click();
      await field(page, 'Address').fill(`http://127.0.0.1:${next}`);
      await field(page, 'Key').fill(KEY);
      await button(page, /^Save without testing/).click();
      await eventually(() => panel(page, 'Save').innerText()).toContain('Saved and active.');
    };
    const waits: State = [
      'attention',
      /^Recording 3 sources\. A growth .*points recorded for another service wait here\./,
    ];
    await story.part('another service named', nameAnother, { states: [offline, SETTLING, waits] });
    const sendThere = async () => {
      await headlineLink('Choose').click();
      await button(page, 'Send them to the service named now').click();
    };
    await story.part('sent to the new service', sendThere, { states: [SETTLING, well] });

    const endGrowth = async () => {
      await link(page, 'Growth').click();
      await button(page, 'End growth').click();
      await button(page, 'End it now').click();
    };
    await story.part('growth ended', endGrowth, {
      states: [SETTLING, delivered('3 sources')],
    });
    await end(agent, 'SIGTERM');
    expect(story.faults).toEqual([]);
  },
);
