// A day of an operator in a real browser, in real time: the built agent as a process that is killed, the service as another
// one, an instrument behind a pseudo-terminal whose cable is pulled, a log that dies, a camera. What the page says at each
// moment is printed as a table, and is true: while something of the growth is not recorded no look at the page is green.
// Two minutes of it are the silence after which a log counts as dead.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { makeImageWriter } from '../../../src-main/sources/simulator/camera-images.ts';
import { freePort } from '../../support/free-port.ts';
import { button, combobox, field, link, panel } from '../../support/page/on-page.ts';
import { openLink } from '../../support/page/screen.ts';
import { type AgentProcess, runAgent, startAgent } from '../../support/processes/agent-process.ts';
import { SCREEN_LINK } from '../../support/rigs/outage-walk.ts';
import { InstrumentEmulator } from '../../support/serial/instrument-emulator.ts';
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
  const write = () => {
    const stamp = new Date(Date.now() + TOOL_AHEAD_MS).toISOString().slice(0, 23).replace('T', ' ');
    appendFileSync(file, `${stamp};${600 + (rows % 9) / 10};${(2e-9 * (1 + (rows % 5))).toExponential(1)}\n`);
    rows += 1;
  };
  write();
  return repeat(500, write);
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

interface Said {
  readonly tone: string;
  readonly text: string;
  readonly buttons: string;
  readonly rest: readonly string[];
}

/** What the banner says now. */
function look(page: Page): Promise<Said> {
  return page.getByTestId('sentence').evaluate((banner) => {
    const textOf = (one: Element) => (one as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim();
    return {
      tone: (banner as HTMLElement).dataset.tone ?? '',
      text: [...banner.querySelectorAll('h1')].map(textOf).join(' '),
      buttons: [...banner.querySelectorAll('a')].map(textOf).join(', '),
      rest: [...banner.querySelectorAll('[data-testid="other-troubles"] li')].map((one) =>
        (one.textContent ?? '').trim(),
      ),
    };
  });
}

/** Looks at the page all the time, and writes down what it says at each moment of the story. */
class Story {
  readonly table: string[] = [];
  page: Page;
  #seen: Said[] = [];
  #isOver = false;

  constructor(page: Page) {
    this.page = page;
    void this.#watch();
    onTestFinished(() => {
      this.#isOver = true;
    });
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      // Between two pages there is nothing to see.
      const said = await look(this.page).catch(() => null);
      if (said !== null) this.#seen.push(said);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The moment has come: the page says so, in this tone. */
  async moment(name: string, tone: Tone, words: RegExp, { timeout = 60_000, rest = [] as RegExp[] } = {}) {
    let said: Said = await look(this.page);
    // Of one look all of it: what stands below the headline may be known a moment later.
    const missing = async () => {
      said = await look(this.page);
      const headline = new RegExp(`^${tone}: ${words.source.replace('^', '')}`);
      const lacking = rest.filter((line) => !line.test(said.rest.join('\n'))).map(String);
      return headline.test(`${said.tone}: ${said.text}`) ? lacking : [`${said.tone}: ${said.text}`, ...lacking];
    };
    await eventually(missing, { timeout }).toEqual([]);
    const sentence = [said.text, ...said.rest].join(' + ');
    this.table.push([name, sentence, `${COLOURS[tone]} (${tone})`, said.buttons || 'none'].join(' | '));
    this.#seen = [];
  }

  /** Since the last moment the page was never green. Asked before what is wrong is put right. */
  async neverGreen(): Promise<void> {
    await eventually(() => this.#seen.length).toBeGreaterThan(4);
    expect(this.#seen.filter(({ tone }) => tone === 'ok')).toEqual([]);
  }
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

test.skipIf(!hasPty)(
  "the page says what is so at each moment of an operator's day, and is never green over what is not recorded",
  async () => {
    const data = tempFolder('story');
    const [logs, frames] = [join(data, 'tool'), join(data, 'camera')];
    const [port, former, next] = [await freePort(), await freePort(), await freePort()];
    const address = `http://127.0.0.1:${former}`;
    const tool = startTool(logs);
    startCamera(frames);
    const instrument = await InstrumentEmulator.start(readTranscript('lakeshore-336').cases[0]?.talk ?? []);
    const cable = await Pty.plug(instrument.tcpPort);
    onTestFinished(async () => {
      await cable.remove();
      await instrument.stop();
    });
    let service = await startService(join(data, 'service'), former);
    const run = () => startAgent(['run', '--data', data, '--ui', String(port)], { EPISTREAM_API_KEY: KEY });
    let agent = run();
    const [first] = await agent.waitFor(SCREEN_LINK);
    const { page } = await openLink(first);
    const story = new Story(page);

    await button(page, 'Try it').waitFor();
    expect(await page.getByTestId('sentence').count()).toBe(0);
    await connectTool(page, logs, address);
    await story.moment('connected with a wrong zone', 'busy', /^Recording 1 source\. Times of tool-log do not fit/);
    await story.neverGreen();
    await link(page, 'Sources').click();
    await link(page, 'tool-log').click();
    await combobox(page, 'Time zone of its times').fill(TOOL_ZONE);
    await page.getByRole('option', { name: TOOL_ZONE }).click();
    await button(page, /^Save/).click();
    await story.moment('zone set right', 'ok', /^Recording 1 source\. (All delivered|Everything older than)/);
    await addInstrument(page, cable.path);
    await addCamera(page, frames);
    await story.moment('instrument and camera added', 'ok', /^Recording 3 sources\. (All|Everything)/);

    await link(page, 'Growth').click();
    await page.getByLabel('Name', { exact: true }).fill('G3-120');
    await button(page, 'Start growth').click();
    const well = /^Recording 3 sources\. A growth is under way\. (All delivered|Everything older than)/;
    await story.moment('growth started', 'ok', well);
    await link(page, 'Now').click();

    await end(service, 'SIGTERM');
    const offline =
      /^Recording 3 sources\. A growth is under way\. The service cannot be reached\. [\d,]+ points are safe here\./;
    await story.moment('service away', 'busy', offline);
    await cable.unplug();
    await story.moment(
      'and the cable of the instrument out',
      'attention',
      /^Recording 2 of 3 sources\. A growth is under way\. .*cryostat/,
      {
        rest: [/The service cannot be reached/],
      },
    );
    await story.neverGreen();
    await end(agent, 'SIGKILL');
    await story.moment('agent killed', 'attention', /^Connection to the agent lost\. What you see is \d+ s old\./);
    await story.neverGreen();
    agent = run();
    await story.moment(
      'agent started again: the page goes on',
      'attention',
      /^Recording \d of 3 sources\. Source cryostat is not/,
    );
    const { out } = await runAgent(['open', '--data', data]);
    await page.goto(out.trim());
    await story.moment(
      'opened again by a fresh link',
      'attention',
      /^Recording 2 of 3 sources\. Source cryostat is not/,
      {
        rest: [/restarted during a growth/, /The service cannot be reached/],
      },
    );
    await story.neverGreen();
    await cable.plugIn();
    await story.moment('cable in again', 'attention', /^Recording 3 sources\. .*restarted during a growth/);
    await page.getByTestId('sentence').getByRole('link', { name: 'Answer' }).click();
    await button(page, 'Continue it').click();
    await story.moment('answered: it is the same growth', 'busy', offline);
    service = await startService(join(data, 'service'), former);
    await story.moment('service back', 'ok', well, { timeout: 120_000 });

    tool.stop();
    const dead = /^Recording 2 of 3 sources\. A growth is under way\. No data from tool-log since [\d:]+\.$/;
    await story.moment('log dead', 'attention', dead, { timeout: 240_000 });
    await story.neverGreen();
    tool.goOn();
    await story.moment('log written again', 'ok', well);

    await end(service, 'SIGTERM');
    await eventually(async () => (await look(page)).text).toMatch(offline);
    await startService(join(data, 'next'), next);
    await link(page, 'Settings').click();
    await field(page, 'Address').fill(`http://127.0.0.1:${next}`);
    await field(page, 'Key').fill(KEY);
    await button(page, /^Save without testing/).click();
    await eventually(() => panel(page, 'Save').innerText()).toContain('Saved and active.');
    const waits = new RegExp(`^Recording 3 sources\\. A growth .*points recorded for ${address} wait here\\.`);
    await story.moment('another service named', 'attention', waits);
    await story.neverGreen();
    await page.getByTestId('sentence').getByRole('link', { name: 'Choose' }).click();
    await button(page, 'Send them to the service named now').click();
    await story.moment('sent to the new service', 'ok', well);

    await link(page, 'Growth').click();
    await button(page, 'End growth').click();
    await button(page, 'End it now').click();
    await story.moment('growth ended', 'ok', /^Recording 3 sources\. (All delivered|Everything older than)/);
    console.log(['moment | sentence | colour | button', ...story.table].join('\n'));
    await end(agent, 'SIGTERM');
  },
);
