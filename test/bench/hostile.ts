// Figures of a hostile service: `n24 test/bench/hostile.ts [seconds of each kind]`. How long the thread that captures is held
// while a client reads its answers; the service is a process of its own. Nothing is asserted: figures depend on the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createServiceClient } from '../../src-main/service/client.ts';

const entry = '{"data_id":"0d9bd8ec-4f0e-4a31-9b43-5bb0ac0d5a52","raw_name":"log","tags":[{"id":"1","name":"n"}]},';
/** What is repeated in the answer, how often, and what stands at its end. */
const KINDS = {
  '250 MB of objects': ['[', '{},', 83_000_000, '{}]'],
  '30 MB of objects': ['[', '{},', 10_000_000, '{}]'],
  '6 MB of brackets': ['', '[', 6_000_000, ''],
  'a million levels': ['', '{"a":', 1_000_000, ''],
  '10,000 entries': ['[', entry, 9_999, `${entry.slice(0, -1)}]`],
} as const;
type Kind = keyof typeof KINDS;

function answer(response: ServerResponse, [begin, piece, times, end]: (typeof KINDS)[Kind]): void {
  const atOnce = Math.ceil(65_536 / piece.length);
  let left = times;
  response.write(begin);
  const go = (): void => {
    while (left > 0 && !response.destroyed) {
      const count = Math.min(atOnce, left);
      left -= count;
      if (!response.write(piece.repeat(count))) return void response.once('drain', go);
    }
    response.end(end);
  };
  go();
}

if (process.argv[2] === 'serve') {
  const kind = process.argv[3] as Kind;
  const server = createServer((_, response) => answer(response, KINDS[kind]));
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
} else {
  const seconds = Number(process.argv[2] ?? 12);
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const service = spawn(process.execPath, [import.meta.filename, 'serve', kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
    const client = createServiceClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: () => 'bench' });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    let [answers, outcome] = [0, ''];
    for (const startMs = performance.now(); performance.now() - startMs < seconds * 1000; answers += 1) {
      outcome = await client.listDataEntries({}).then(
        (entries) => `${entries.length} entries`,
        (fault: Error) => fault.message,
      );
    }
    delay.disable();
    const ms = (ns: number) => (ns / 1e6).toFixed(0);
    console.log(
      `${kind}: ${answers} answers; loop delay p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms, most ${ms(delay.max)} ms; ${outcome}`,
    );
    await client.close();
    service.kill();
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}, memory ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
}
