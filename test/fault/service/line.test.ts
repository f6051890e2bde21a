// Part E, rows 91, 92, 99: the line itself. A name that is not known, no network at all, a firewall that drops, a server
// that closes an idle connection in the moment in which it is used again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { Chance } from '../../simulation/random.ts';
import { openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { Engine } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const RELAY = join(import.meta.dirname, '../../support/processes/relay-process.ts');
const mayMakeNetworks = process.platform === 'linux' && process.getuid?.() === 0;
if (!mayMakeNetworks) console.error('row 91 of the fault matrix: needs Linux and root: unshare -n');

async function engineAt(url: string, key: string): Promise<Engine> {
  const timeouts = { connectMs: 1000, headersMs: 3000, bodyMs: 3000, totalMs: 4000 };
  const client = createServiceClient({ baseUrl: url, apiKey: () => key, timeouts });
  onTestFinished(() => client.close());
  return Engine.open({ client });
}

/** A service that doubles what is sent twice, behind somebody who gives requests the name that it answers for. */
async function rig() {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const front = await openMiddleman(service.url);
  /** What reads the service itself, past the line. */
  const expectDelivered = async (engine: Engine) => {
    const past = { ...engine, client } as unknown as Engine;
    await Engine.prototype.expectDelivered.call(past, engine.channels);
  };
  return { service, front, expectDelivered };
}

test('91: a name that cannot be looked up is told apart from a service that refuses', async () => {
  const { service } = await openServiceRig();
  const unknown = await engineAt('https://no-such-host.invalid', service.apiKey);
  await unknown.capture(5);
  await unknown.until('it is said', () => unknown.uploader.lineFault?.code === 'service.dns');
  expect(unknown.uploader.lineFault).toMatchObject({
    trouble: 'offline',
    message: expect.stringContaining('The name no-such-host.invalid cannot be looked up'),
    hint: expect.stringContaining('network cable'),
  });
  await service.stop();
  const refused = await engineAt(service.url, service.apiKey);
  await refused.capture(5);
  await refused.until('it is said', () => refused.uploader.lineFault?.code === 'service.refused-connection');
  expect(refused.uploader.lineFault?.hint).toContain('no service listens');
});

test.skipIf(!mayMakeNetworks)(
  '91: on a PC without any network the agent records, and says that there is no way',
  async () => {
    const agent = new LogAgent({ url: 'https://192.0.2.1', key: 'a-key-0123456789' });
    agent.write(20);
    // A network of its own for the agent, in which not even loopback is up.
    const running = agent.launch({}, ['unshare', '-n']);
    await running.waitFor(/There is no way to 192\.0\.2\.1 \(ENETUNREACH\)/);
    await running.waitFor(/Recording of T started/);
    await running.waitFor(/hint: Check the network cable or Wi-Fi\. Capture goes on/);
    const { out } = await agent.stop(running);
    expect(out).toMatch(/20 points/);
  },
);

/** A relay that can be frozen, and replaced by another one at its port. */
class Relay {
  readonly #args: readonly string[];
  #child!: ChildProcess;
  port = 0;

  /**
   * @param target - where to.
   * @param backlog - how many connections the system takes on its behalf.
   */
  constructor(target: string, backlog: number) {
    const { hostname, port } = new URL(target);
    this.#args = [String(backlog), hostname, port];
  }

  async start(): Promise<this> {
    const child = spawn(process.execPath, [RELAY, String(this.port), ...this.#args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    onTestFinished(() => void child.kill('SIGKILL'));
    const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
    this.port = Number(bytes.toString());
    return this;
  }

  /** From now on it takes what comes and gives nothing. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  /** What it had taken is gone; another one stands in its place. */
  async replace(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
    await this.start();
  }
}

/** Connections of somebody else, so many that the system drops all further ones. */
function crowd(port: number, count: number): { leave(): void } {
  const sockets: Socket[] = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const leave = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(leave);
  return { leave };
}

test.each([
  ['on connections that stand', 511, 0, /no (complete )?answer/],
  ['before there is a connection', 1, 8, /127\.0\.0\.1:\d+ does not answer \(UND_ERR_CONNECT_TIMEOUT\)/],
])(
  '92: a firewall that drops everything %s: capture goes on, it is said, and all goes out afterwards',
  async (_, backlog, strangers, said) => {
    const { service, front, expectDelivered } = await rig();
    const relay = await new Relay(front.url, backlog).start();
    const engine = await engineAt(`http://127.0.0.1:${relay.port}`, service.apiKey);
    await engine.capture(10);
    await engine.until('delivered', async () => (await engine.store.tally(1)).waitingPoints === 0);
    relay.freeze();
    const others = crowd(relay.port, strangers);
    for (let round = 0; round < 10; round++) await engine.capture(5);
    expect(await engine.store.tally(1)).toMatchObject({ waitingPoints: 150 });
    await engine.until('it is said', () => {
      const told = [engine.uploader.lineFault?.message ?? '', ...engine.failures.map(({ message }) => message)];
      return told.some((message) => said.test(message));
    });
    await engine.capture(5);
    others.leave();
    await relay.replace();
    await engine.deliverAll();
    await expectDelivered(engine);
  },
);

/** How long a close is on its way through a network, milliseconds. */
const ON_ITS_WAY_MS = 3;

/**
 * A server's front that closes connections on which nothing happens: after a time drawn by chance, milliseconds, or in the very
 * moment in which they are used again. The second comes however slow the machine is.
 */
async function closeIdle(target: string, chance: Chance, longestMs: number): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let timer: NodeJS.Timeout | undefined;
    let isClosedAsUsed = false;
    let isDecided = false;
    const close = () => {
      isDecided = true;
      setTimeout(() => near.destroy(), ON_ITS_WAY_MS);
    };
    near.on('data', (bytes) => {
      clearTimeout(timer);
      if (isClosedAsUsed) close();
      isClosedAsUsed = false;
      // Decided: what still comes before the other side has heard of it is not read any more.
      if (!isDecided) far.write(bytes);
    });
    far.on('data', (bytes) => {
      near.write(bytes);
      clearTimeout(timer);
      isClosedAsUsed = chance.happens(0.5);
      if (!isClosedAsUsed) timer = setTimeout(close, chance.between(0, longestMs));
    });
    near.on('end', () => far.end());
    far.on('end', () => near.end());
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('99: a server that closes idle connections as they are used again: nothing lost, nothing doubled, whatever it had read', async () => {
  const { service, front, expectDelivered } = await rig();
  const chance = new Chance(99);
  const engine = await engineAt(await closeIdle(front.url, chance, 10), service.apiKey);
  const races = () => engine.failures.filter(({ message }) => message.includes('the connection broke')).length;
  while (races() < 4) {
    await engine.capture(20);
    await engine.until('settled', async () => (await engine.store.tally(1)).waitingPoints === 0);
  }
  await engine.deliverAll();
  await expectDelivered(engine);
});
