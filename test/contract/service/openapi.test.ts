import { Validator } from '@seriousme/openapi-schema-validator';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { BESIDES, openApiDocument } from '../../../src-main/interface/openapi.ts';
import { type Endpoint, endpointNames, table } from '../../../src-main/interface/table.ts';
import { demoEntry, useServiceWorld } from '../../support/rigs/service-world.ts';

const world = useServiceWorld();

describe('the published document', () => {
  it('is OpenAPI 3.1 by an independent validator', async () => {
    const result = await new Validator().validate(openApiDocument());
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('is served without a key at /openapi.json', async () => {
    const answer = await fetch(`${world.service.url}/openapi.json`);
    const served = await answer.json();
    expect(served).toMatchObject(openApiDocument());
    expect(Object.keys(served.paths)).toEqual(
      expect.arrayContaining([
        '/tool-state/stream/{data_id}/finalize',
        '/rheed/stream/{data_id}/end',
        '/signed/{file_uuid}',
      ]),
    );
    expect((await new Validator().validate(served)).errors).toBeUndefined();
  });

  it('names every parameter: another one is refused by its name, on every path', async () => {
    const served = await fetch(`${world.service.url}/openapi.json`);
    const { paths } = (await served.json()) as { paths: Record<string, object> };
    const calls = [...Object.entries(paths), ['/openapi.json', { get: {} }] as const].flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(calls.length).toBeGreaterThanOrEqual(23);
    const { data_id } = demoEntry('xps');
    const told = await Promise.all(
      calls.map(async ([method, path]) => {
        const body = method === 'GET' ? undefined : {};
        const answer = await world.send(method, `${path.replace(/\{\w+\}/g, data_id)}?porject_ids=a`, body);
        const isNamed = (await answer.text()).includes('"loc":["query","porject_ids"]');
        return `${method} ${path}: ${answer.status}${isNamed ? ' by name' : ''}`;
      }),
    );
    expect(told).toEqual(calls.map(([method, path]) => `${method} ${path}: 422 by name`));
  });

  it('tells formats, defaults and bounds', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { parameters: { name: string; schema: object }[] }>>;
    };
    const parameters = paths['/data_entries/']?.get?.parameters ?? [];
    expect(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))).toMatchObject({
      data_ids: { type: 'array', items: { type: 'string', format: 'uuid' } },
      status: { default: 'all' },
      keywords: { maxItems: 50, items: { maxLength: 200 } },
      include_organization_data: { default: true },
      limit: { default: 10_000, maximum: 10_000, minimum: 0 },
      offset: { default: 0 },
    });
    const series = paths['/metrology/{data_id}/timeseries/']?.get?.parameters ?? [];
    expect(series.map(({ schema }) => schema)).toMatchObject([{ format: 'uuid' }, { default: false }, {}]);
    expect(JSON.stringify(paths['/data_entries/'])).toContain('"format":"date-time"');
    expect(JSON.stringify(paths['/metrology/stream/chunk/multi'])).toContain('"minProperties":1');
  });

  it('has an operation for each row, with its parameters and its success', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[]; responses: object }>>;
    };
    for (const name of endpointNames) {
      const row: Endpoint = table[name];
      const operation = paths[row.path]?.[row.method.toLowerCase()];
      expect(operation?.operationId).toBe(name);
      expect(Object.keys(operation?.responses ?? {})).toContain(String(row.success));
      const parameters = [...Object.keys(row.params?.shape ?? {}), ...Object.keys(row.query?.shape ?? {})];
      expect(operation?.parameters.map((parameter) => parameter.name)).toEqual(parameters);
    }
  });

  it('tells the meaning of every field of every resource', () => {
    const silent: string[] = [];
    const walk = (schema: unknown, at: string) => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, inner] of Object.entries(schema)) {
        if (key !== 'properties' || at.endsWith('.properties')) {
          walk(inner, `${at}.${key}`);
          continue;
        }
        for (const [field, meaning] of Object.entries(inner as object)) {
          // A wrapper for null may hold the description one level down.
          if (!JSON.stringify(meaning).includes('"description"')) silent.push(`${at}.${field}`);
          walk(meaning, `${at}.${field}`);
        }
      }
    };
    walk((openApiDocument() as { paths: unknown }).paths, '');
    expect(silent).toEqual([]);
  });

  it('is enough to call the service, for somebody who knows nothing else', async () => {
    const call = clientOf(await (await fetch(`${world.service.url}/openapi.json`)).json());
    const started = await call('initializeStream', {}, { points_per_chunk: 2 });
    const { data_id } = started.body;
    const channels = { cell: { timestamps: [1, 2], values: [3, 4] } };
    expect((await call('ingestChunk', {}, { data_id, chunk_index: 0, channels })).status).toBe(201);
    const series = await call('readTimeSeries', { data_id, elapsed_seconds: 0.5 });
    expect(series.body).toMatchObject({ properties: { cell: { values: [4] } } });
    const ids = [demoEntry('xps').data_id, demoEntry('sims').data_id];
    expect((await call('listDataEntries', { data_ids: ids })).body).toHaveLength(2);
  });
});

interface Operation {
  readonly tags?: readonly string[];
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: 'path' | 'query'; style?: string; explode?: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** Calls by what the document says: where each parameter goes, and as what the body is sent. */
function clientOf(document: { paths: Record<string, Record<string, Operation>> }) {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .filter(({ operation }) => !operation.tags?.includes(BESIDES));
  expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual([...endpointNames].sort());
  return async (name: string, given: Readonly<Record<string, unknown>>, body?: unknown) => {
    const found = operations.find(({ operation }) => operation.operationId === name);
    if (!found) throw new Error(`no operation ${name}`);
    const { method, operation } = found;
    let { path } = found;
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(given)) {
      const parameter = operation.parameters.find((one) => one.name === key);
      if (parameter?.in === 'path') path = path.replace(`{${key}}`, encodeURIComponent(String(value)));
      // In a query arrays repeat their name, unless the document says otherwise (OpenAPI 3.1: style form, explode).
      else if (parameter?.explode === false) query.set(key, [value].flat().join(','));
      else if (parameter) for (const one of [value].flat()) query.append(key, String(one));
      else throw new Error(`${name} has no parameter ${key}`);
    }
    const [contentType = ''] = Object.keys(operation.requestBody?.content ?? {});
    const headers = { 'X-API-KEY': world.service.apiKey, ...(body !== undefined && { 'content-type': contentType }) };
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await request(`${world.service.url}${path}?${query}`, {
      method: method as 'GET',
      headers,
      body: sent,
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  };
}
