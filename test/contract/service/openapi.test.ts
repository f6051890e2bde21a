import { Validator } from '@seriousme/openapi-schema-validator';
import OpenAPIClientAxios, { type Document } from 'openapi-client-axios';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src-main/interface/openapi.ts';
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
    expect(await answer.json()).toEqual(openApiDocument());
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

  it('makes a client with another tool that works against the service', async () => {
    const definition = (await (await fetch(`${world.service.url}/openapi.json`)).json()) as Document;
    const api = new OpenAPIClientAxios({
      definition,
      axiosConfigDefaults: {
        baseURL: world.service.url,
        headers: { 'X-API-KEY': world.service.apiKey },
        // This tool leaves arrays to axios, whose own default is not the repeated name that the document asks for.
        paramsSerializer: { indexes: null },
      },
    });
    const client = await api.init();
    const operations = api.getOperations().map(({ operationId }) => operationId);
    expect(operations.toSorted()).toEqual([...endpointNames].sort());
    const started = await client.initializeStream?.(undefined, { points_per_chunk: 2 });
    const data_id = started?.data.data_id;
    const channels = { cell: { timestamps: [1, 2], values: [3, 4] } };
    expect((await client.ingestChunk?.(undefined, { data_id, chunk_index: 0, channels }))?.status).toBe(201);
    expect((await client.readTimeSeries?.({ data_id, elapsed_seconds: 0.5 }))?.data.properties.cell.values).toEqual([
      4,
    ]);
    const ids = [demoEntry('xps').data_id, demoEntry('sims').data_id];
    expect((await client.listDataEntries?.({ data_ids: ids }))?.data).toHaveLength(2);
  });
});
