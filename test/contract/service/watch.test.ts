// What a lab watches of its service: /health, /metrics, and that dashboard and alerts ask for what is there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openServiceRig, serviceFault } from '../../support/rigs/service-rig.ts';

const folder = join(import.meta.dirname, '../../../resources/grafana');

async function watched() {
  const { service, client } = await openServiceRig({ hasMetrics: true });
  const { data_id } = await client.initializeStream({ points_per_chunk: 3 });
  const channel = { timestamps: [1, 2, 3], values: [1, 2, 3] };
  await client.ingestChunk({ data_id, chunk_index: 0, channels: { a: channel, b: channel } });
  await serviceFault(client.readTimeSeries({ data_id: crypto.randomUUID() }));
  const answer = await fetch(`${service.url}/metrics`);
  return { url: service.url, key: service.apiKey, answer, text: await answer.text() };
}

test('requests, points and streams are counted, by endpoint and status', async () => {
  const { answer, text, url, key } = await watched();
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = text.split('\n');
  expect(lines).toContain('epistream_service_points_stored_total 6');
  expect(lines).toContain('epistream_service_streams_running 1');
  expect(lines).toContain('epistream_service_request_seconds_count{endpoint="ingestChunk",status="201"} 1');
  expect(lines).toContain('epistream_service_request_seconds_count{endpoint="readTimeSeries",status="404"} 1');
  expect(text).not.toContain(key);
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' });
});

test('nothing is served to watch unless it was asked for', async () => {
  const { service } = await openServiceRig();
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

test('the dashboard and the alerts ask for nothing that is not there', async () => {
  const { text } = await watched();
  const there = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const dashboard = JSON.parse(readFileSync(join(folder, 'epistream-service.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const rules = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  };
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
  expect(asked.length).toBeGreaterThan(10);
  const names = asked.flatMap((expr) => expr.match(/\b(epistream|process)_\w+/g) ?? []);
  expect(names.filter((name) => !there.has(name))).toEqual([]);
});
