// Whatever comes, the service answers soundly: a sound body comes back as it went in, a damaged one is refused with the
// place of the damage, nothing is ever a fault of the service.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Endpoint, type EndpointName, endpointNames, table } from '../../../src-main/interface/table.ts';
import { demo, demoEntry, useServiceWorld } from '../../support/rigs/service-world.ts';
import { walks } from '../../support/run/effort.ts';

const world = useServiceWorld();
const runs = walks(25);

const signed = fc.double({ noNaN: true, noDefaultInfinity: true });
/** What JSON.stringify writes with its sign. */
const double = signed.map((value) => (Object.is(value, -0) ? 0 : value));
const stamp = fc.double({ min: 0, max: 4e9, noNaN: true });
const unicode = (max: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: max }).filter((name) => name.length <= 255);
const awkward = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0',
  ' ',
  '\u0000',
  '\ud83d\ude00'.repeat(120),
);
const channelName = fc.oneof(unicode(255), awkward);
const channel = fc
  .array(fc.tuple(stamp, double), { minLength: 1, maxLength: 8 })
  .chain((points) => fc.record({ points: fc.constant(points), units: fc.option(unicode(10)) }));

const roundsStamps = (times: number[]) => times.map((time) => Math.round(time * 1000));

describe('a sound body', () => {
  it('of a chunk comes back point by point, whatever the names and numbers', async () => {
    const channels = fc.dictionary(channelName, channel, { minKeys: 1, maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(channels, async (given) => {
        const { data_id } = await world.owner.initializeStream({ points_per_chunk: 8 });
        const sent = Object.entries(given).map(([name, { points, units }]) => {
          return [
            name,
            { timestamps: points.map(([time]) => time), values: points.map(([, value]) => value), units },
          ] as const;
        });
        const receipts = await world.owner.ingestChunk({ data_id, chunk_index: 0, channels: Object.fromEntries(sent) });
        expect(receipts).toHaveLength(sent.length);
        const series = await world.owner.readTimeSeries({ data_id });
        for (const [name, { timestamps, values, units }] of sent) {
          const property = Object.entries(series?.properties ?? {}).find(([key]) => key === name)?.[1];
          expect(property?.values).toEqual(values);
          expect(property?.unix_timestamp_ms).toEqual(roundsStamps(timestamps));
          expect(property?.units).toBe(units);
        }
      }),
      runs,
    );
  });

  it('of a chunk keeps the sign of every zero, in the series and in the raw file', async () => {
    const column = fc.array(fc.oneof(signed, fc.constantFrom(-0, 0)), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(column, async (values) => {
        const { data_id } = await world.owner.initializeStream({ points_per_chunk: 40 });
        const texts = values.map((value) => (Object.is(value, -0) ? '-0.0' : String(value)));
        const timestamps = values.map((_, at) => at);
        const body = `{"data_id":"${data_id}","chunk_index":0,"channels":{"a":{"timestamps":[${timestamps}],"values":[${texts}]}}}`;
        const answer = await world.send('POST', '/metrology/stream/chunk/multi', Buffer.from(body));
        expect(answer.status).toBe(201);
        const series = await world.owner.readTimeSeries({ data_id });
        // toEqual tells -0 from 0.
        expect(series?.properties.a?.values).toEqual(values);
        const raw = await (await world.send('GET', `/data_entries/raw_data/${data_id}?return_as=bytes`)).text();
        const lines = raw.split('\r\n').slice(1, -1);
        expect(lines.map((line) => Number(line.split(',')[2]))).toEqual(values);
      }),
      runs,
    );
  });

  it('of a stream, a session or a project comes back in the catalogue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), async (name) => {
        const stream = await world.owner.initializeStream({ points_per_chunk: 1, stream_name: name });
        const session = await world.owner.startRheedStream({ data_item_name: name, fps_capture_rate: 25 });
        const entries = await world.owner.listDataEntries({ data_ids: [stream.data_id, session] });
        expect(entries.map(({ raw_name }) => raw_name)).toEqual([name, name]);
        expect(await world.owner.createProject({ name, notes: name })).toMatch(/^[0-9a-f-]{36}$/);
      }),
      runs,
    );
  });

  it('of a layer comes back with its elements, __proto__ among them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(channelName, double, { maxKeys: 6 }), async (element_dict) => {
        const request = { sample_id: 1, layer_id: 1, element_dict: Object.fromEntries(Object.entries(element_dict)) };
        const answer = await world.owner.updateTargetLayer(request);
        expect(Object.entries(answer.element_dict ?? {}).sort()).toEqual(Object.entries(element_dict).sort());
      }),
      runs,
    );
  });
});

const project = demo.projects[0]?.project_id ?? '';
const sample = demo.physical_samples[0]?.physical_sample_id ?? '';

/** A sound body for each row that has one; paths are filled in with what is there. */
const bodies: Partial<Record<EndpointName, Record<string, unknown>>> = {
  ingestChunk: { data_id: 'D', chunk_index: 0, channels: { cell: { timestamps: [1, 2], values: [3, 4], units: 'C' } } },
  initializeStream: { points_per_chunk: 1, stream_name: 'a', physical_sample_id: sample, project_id: project },
  startRheedStream: { data_item_name: 'a', fps_capture_rate: 30, rotational_period: 2, rotations_per_min: 30 },
  createInstrument: { name: 'a', label: 'b', type: 'mbe', serial_id: 'c' },
  updateTargetLayer: { layer_id: 1, sample_id: 1, composition_string: 'GaAs', element_dict: { Ga: 1 } },
  createProject: { name: 'a', notes: 'b' },
  updateProjectSamples: { physical_sample_ids: [sample], set: false },
  removeTags: { data_ids: [demoEntry('xps').data_id], tag_ids: [demo.tags[0]?.tag_id] },
};

/** Values of every kind of JSON, to put where another kind is expected. */
const misfits: readonly unknown[] = [
  '',
  'x',
  -1,
  0.5,
  1e300,
  true,
  [],
  [null],
  {},
  { a: 1 },
  null,
  Array(3).fill('y'),
  'z'.repeat(300),
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    at,
    ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...at, Array.isArray(value) ? Number(key) : key])),
  ];
}

function replaceAt(value: unknown, [step, ...rest]: Path, misfit: unknown): unknown {
  if (step === undefined) return misfit;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaceAt(item, rest, misfit) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [key, key === step ? replaceAt(item, rest, misfit) : item]),
  );
}

interface Problem {
  title: string;
  status: number;
  detail: string | { loc: unknown[]; msg: string; type: string }[];
}

const Detail = z.union([
  z.string().min(1),
  z
    .array(
      z.object({ loc: z.array(z.union([z.string(), z.number()])).min(1), msg: z.string().min(1), type: z.string() }),
    )
    .min(1),
]);

async function expectRefusal(answer: Response): Promise<Problem> {
  const problem = (await answer.json()) as Problem;
  expect(answer.status, JSON.stringify(problem)).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(problem.status).toBe(answer.status);
  expect(Detail.safeParse(problem.detail).error).toBeUndefined();
  return problem;
}

const pathFor = (row: Endpoint) => row.path.replace('{project_id}', project);

describe.each(endpointNames.filter((name) => table[name].body))('a damaged body of %s', (name) => {
  const row: Endpoint = table[name];
  const body = bodies[name] ?? {};

  it('is refused with the place of the damage when a value is of the wrong kind', async () => {
    const damage = fc.tuple(fc.constantFrom(...pathsOf(body)), fc.constantFrom(...misfits));
    await fc.assert(
      fc.asyncProperty(damage, async ([path, misfit]) => {
        const damaged = replaceAt(body, path, misfit);
        const answer = await world.send(row.method, pathFor(row), damaged);
        const fits = row.body?.safeParse(damaged).success === true;
        if (answer.status === row.success) {
          expect(fits).toBe(true);
          return;
        }
        const { detail } = await expectRefusal(answer);
        if (fits) return;
        expect(answer.status).toBe(422);
        const loc = Array.isArray(detail) ? (detail[0]?.loc ?? []) : [];
        expect(loc[0]).toBe('body');
        // The place is that of the damage, or of something it holds or is held by.
        const given = ['body', ...path];
        const shorter = Math.min(loc.length, given.length);
        expect(loc.slice(0, shorter).map(String)).toEqual(given.slice(0, shorter).map(String));
      }),
      walks(30),
    );
  });

  it('is refused when it is cut, has bytes changed, or is no JSON at all', async () => {
    const text = Buffer.from(JSON.stringify(body));
    const cut = fc.nat({ max: text.length - 1 }).map((length) => text.subarray(0, length));
    const changed = fc.tuple(fc.nat({ max: text.length - 1 }), fc.nat({ max: 255 })).map(([at, byte]) => {
      const copy = Buffer.from(text);
      copy[at] = byte;
      return copy;
    });
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.oneof(cut, changed, noise), async (bytes) => {
        const answer = await world.send(row.method, pathFor(row), new Uint8Array(bytes));
        if (answer.status !== row.success) await expectRefusal(answer);
      }),
      walks(30),
    );
  });
});

describe('a damaged query', () => {
  it('is answered or refused, never a fault', async () => {
    const rows = endpointNames.map((name): Endpoint => table[name]).filter(({ method }) => method === 'GET');
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('-1', '1e999', 'NaN', 'true', '', '%00'),
    );
    const request = fc.tuple(
      fc.constantFrom(...rows),
      fc.array(fc.tuple(fc.nat({ max: 7 }), value), { maxLength: 4 }),
      value,
    );
    await fc.assert(
      fc.asyncProperty(request, async ([row, fields, id]) => {
        const known = Object.keys(row.query?.shape ?? { any: 1 });
        const search = new URLSearchParams(fields.map(([at, text]) => [known[at % known.length] ?? '', text]));
        const path = row.path.replace('{data_id}', encodeURIComponent(id) || 'x');
        const answer = await world.send('GET', `${path}?${search}`);
        if (answer.status === 200) return;
        await expectRefusal(answer);
      }),
      walks(100),
    );
  });
});
