import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonScanner } from '../../../../src-main/delivery/client/json/json-scanner.ts';
import { createSeriesScanner } from '../../../../src-main/delivery/client/scan-series.ts';
import { collectColumns, type SeriesColumns } from '../../../support/rigs/series.ts';
import { openServiceRig, serviceFault } from '../../../support/rigs/service-rig.ts';
import { walks } from '../../../support/run/effort.ts';

/** Cut a text at the places given (parts of its length). */
function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...places.map((part) => Math.floor(part * text.length)), text.length].sort((a, b) => a - b);
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
}

/** Build the value again from what the scanner tells. */
function rebuild(pieces: readonly string[]): unknown {
  type Frame = { value: unknown[] | Record<string, unknown>; name: string };
  const frames: Frame[] = [{ value: [], name: '' }];
  const put = (value: unknown) => {
    const frame = frames.at(-1) as Frame;
    if (Array.isArray(frame.value)) frame.value.push(value);
    else
      Object.defineProperty(frame.value, frame.name, { value, enumerable: true, configurable: true, writable: true });
  };
  const scanner = createJsonScanner({
    onName: (name) => {
      (frames.at(-1) as Frame).name = name;
    },
    onOpen: (kind) => {
      const value = kind === 'array' ? [] : {};
      put(value);
      frames.push({ value, name: '' });
    },
    onClose: () => void frames.pop(),
    onValue: put,
  });
  for (const piece of pieces) scanner.push(piece);
  scanner.end();
  return Object.values(frames[0]?.value ?? [])[0];
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

describe('the JSON scanner', () => {
  it('reads every JSON text as JSON.parse does, wherever the pieces are cut', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5, stringUnit: 'binary' }),
        fc.constantFrom(undefined, 1, '\t'),
        cuts,
        (text, space, places) => {
          const spaced = JSON.stringify(JSON.parse(text), null, space);
          expect(rebuild(cutAt(spaced, places))).toEqual(JSON.parse(spaced));
        },
      ),
      walks(200),
    );
  });

  it('takes a text if and only if JSON.parse takes it', () => {
    const damaged = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[],:"0-1.e+\\ tnu\n'))
      .map(([text, at, sign]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + sign + text.slice(place + 1);
      });
    const accepts = (read: () => unknown) => {
      try {
        read();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(damaged, cuts, (text, places) => {
        expect(accepts(() => rebuild(cutAt(text, places)))).toBe(accepts(() => JSON.parse(text)));
      }),
      walks(500),
    );
  });

  it.each([
    '',
    ' ',
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '01',
    '1.',
    '+1',
    'NaN',
    '[}',
    '{]',
    '"\n"',
    '"a',
    '{"a"}',
    '1 1',
    'tru',
    '\u00a01',
    '[1],',
  ])('refuses %j', (text) => {
    expect(() => rebuild([text])).toThrow();
  });

  it('keeps to its bounds', () => {
    expect(() => rebuild(['['.repeat(101)])).toThrow('nested deeper');
    const scanner = createJsonScanner({ onOpen: () => {}, onClose: () => {}, onName: () => {}, onValue: () => {} });
    expect(() => {
      for (let n = 0; n < 40; n++) scanner.push(`${n === 0 ? '"' : ''}${'x'.repeat(65_536)}`);
    }).toThrow('a token longer');
  });
});

const scan = (text: string, places: readonly number[] = []) => {
  const found: SeriesColumns[] = [];
  const scanner = createSeriesScanner(collectColumns((property) => found.push(property)));
  for (const piece of cutAt(text, places)) scanner.push(piece);
  const end = scanner.end();
  return { end, found: found.map(({ name, timesMs, values, units }) => [name, [...timesMs], [...values], units]) };
};

describe('the series scanner', () => {
  it('gives each property with its points, wherever the pieces are cut', () => {
    const property = fc.record({
      points: fc.array(fc.tuple(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
      units: fc.option(fc.string()),
    });
    const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'properties', 'values', 'unix_timestamp_ms', ''));
    fc.assert(
      fc.property(fc.dictionary(names, property), cuts, (given, places) => {
        const properties = Object.entries(given).map(([name, { points, units }]) => {
          const relative_time_seconds = points.map(([time]) => time / 1000);
          const unix_timestamp_ms = points.map(([time]) => time);
          const values = points.map(([, value]) => (Object.is(value, -0) ? 0 : value));
          return [
            name,
            { units, relative_time_seconds, more: { values: [['x']] }, unix_timestamp_ms, values },
          ] as const;
        });
        const text = JSON.stringify({
          unknown: [{ properties: 1 }],
          properties: Object.fromEntries(properties),
          series_max_time: 7,
        });
        const { end, found } = scan(text, places);
        expect(end).toEqual({ seriesMaxTime: 7 });
        const inOrder = Object.entries(Object.fromEntries(properties));
        expect(found).toEqual(
          inOrder.map(([name, series]) => [name, series.unix_timestamp_ms, series.values, series.units]),
        );
      }),
      walks(100),
    );
  });

  it('takes null for no series, and null among the numbers for a hole', () => {
    expect(scan('null')).toEqual({ end: null, found: [] });
    const text = '{"properties":{"a":{"unix_timestamp_ms":[1,2],"values":[null,3]}},"series_max_time":null}';
    expect(scan(text)).toEqual({ end: { seriesMaxTime: null }, found: [['a', [1, 2], [Number.NaN, 3], null]] });
  });

  it.each([
    ['[]', 'no object'],
    ['7', 'no object'],
    ['{}', 'no properties'],
    ['{"properties":[]}', 'no object'],
    ['{"properties":{"a":{}}}', 'no times or no values'],
    ['{"properties":{"a":{"unix_timestamp_ms":[1],"values":[1,2]}}}', '1 times and 2 values'],
    ['{"properties":{"a":{"unix_timestamp_ms":["1"],"values":[1]}}}', 'no number'],
    ['{"properties":{"a":{"unix_timestamp_ms":{},"values":[]}}}', 'no array'],
    ['{"properties":{"a":{"values":[1],"unix_timestamp_ms":[1],"values":[1]}}}', 'values twice'],
    [`{"properties":{${'"a":{"values":[],"unix_timestamp_ms":[]},'.repeat(2)}"b":0}}`, 'values twice'],
  ])('refuses %s', (text, why) => {
    expect(() => scan(text)).toThrow(why);
  });
});

describe('scanTimeSeries', () => {
  it('tells an object of a class, which finds itself', async () => {
    class Counter {
      points = 0;
      onNumbers(): void {}
      onProperty(_: string, points: number): void {
        this.points += points;
      }
    }
    const { client } = await openServiceRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { a: { timestamps: [1, 2], values: [1, 2] } } });
    const counter = new Counter();
    await client.scanTimeSeries({ data_id }, counter);
    expect(counter.points).toBe(2);
  });

  it('reads a series from the service as readTimeSeries does', async () => {
    const { client } = await openServiceRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 20_000 });
    const values = Array.from({ length: 20_000 }, (_, at) => Math.sin(at) * 10 ** ((at % 30) - 15));
    const timestamps = values.map((_, at) => 1_780_000_000 + at / 128);
    await client.ingestChunk({
      data_id,
      chunk_index: 0,
      channels: { a: { timestamps, values, units: 'nm' }, b: { timestamps, values } },
    });
    const found: SeriesColumns[] = [];
    const end = await client.scanTimeSeries(
      { data_id },
      collectColumns((property) => found.push(property)),
    );
    const series = await client.readTimeSeries({ data_id });
    expect(end).toEqual({ seriesMaxTime: series?.series_max_time });
    expect(found.map(({ name, units }) => [name, units])).toEqual([
      ['a', 'nm'],
      ['b', null],
    ]);
    for (const { name, timesMs, values } of found) {
      expect([...values]).toEqual(series?.properties[name]?.values);
      expect([...timesMs]).toEqual(series?.properties[name]?.unix_timestamp_ms);
    }
    const later: SeriesColumns[] = [];
    await client.scanTimeSeries(
      { data_id, elapsed_seconds: 156 },
      collectColumns((property) => later.push(property)),
    );
    expect(later[0]?.values).toHaveLength(20_000 - 1 - 156 * 128);
  });

  it('fails as every call does', async () => {
    const { client, service } = await openServiceRig({ bench: {} });
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    const nobody = collectColumns(() => {});
    const ask = () => client.scanTimeSeries({ data_id }, nobody);
    expect(await client.scanTimeSeries({ data_id, return_null_if_missing: true }, nobody)).toBeNull();
    expect((await serviceFault(ask())).failure).toEqual({ kind: 'held', reason: 'target' });
    const answers = [
      [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }, 'not-the-service'],
      [{ status: 200, body: '{"properties":{' }, 'ambiguous'],
      [{ status: 200, body: '{"properties":7}' }, 'ambiguous'],
      [{ status: 401, body: '' }, 'held'],
    ] as const;
    for (const [answer, kind] of answers) {
      await service.setBench({ rules: [{ fault: { kind: 'answer', ...answer } }] });
      expect((await serviceFault(ask())).failure.kind).toBe(kind);
    }
  });
});
