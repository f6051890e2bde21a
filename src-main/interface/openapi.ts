// The interface as an OpenAPI 3.1 document, made from the table, with what a service answers besides: what is published is
// what is served.
import { z } from 'zod';
import { type Endpoint, endpointNames, table } from './table.ts';

type Json = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any', io });
  return rest;
}

function parametersOf(schema: z.ZodObject | null, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
    // Arrays are repeated: ?data_ids=a&data_ids=b.
    ...(rest.type === 'array' ? { style: 'form', explode: true } : {}),
  }));
}

const problem = {
  description: 'Refused; `detail` says why, for broken rules with the place of each',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const problemSchema: Json = {
  type: 'object',
  description: 'Problem details (RFC 9457)',
  required: ['title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: {
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            properties: {
              loc: { type: 'array', items: { type: ['string', 'integer'] } },
              msg: { type: 'string' },
              type: { type: 'string' },
            },
          },
        },
      ],
    },
  },
};

function operationOf(name: string, row: Endpoint): Json {
  const { section, summary, params, query, body, success, response } = row;
  const json: Json = { 'application/json': { schema: schemaOf(response, 'output') } };
  // The one answer that is not JSON: the raw file itself.
  const content = name === 'readRawData' ? { ...json, 'application/octet-stream': {} } : json;
  return {
    operationId: name,
    summary,
    description: `Part ${section} of the interface.`,
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
      : {}),
    responses: { [success]: { description: 'Success', content }, default: problem },
  };
}

/** A path that a service answers besides the interface. Its parameters are those of the path, as `{name}`. */
export interface AlsoServed {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  /** The type of what comes back. */
  readonly answer: string;
  /** Parameters of the query, all of them needed. */
  readonly query?: readonly string[];
}

/** Tag of what is no part of the interface: another service need not have it. */
export const BESIDES = 'besides the interface';

function besideOf({ name, path, summary, answer, query = [] }: AlsoServed): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const parameters = [
    ...inPath.map((parameter) => ({ name: parameter, in: 'path' })),
    ...query.map((parameter) => ({ name: parameter, in: 'query' })),
  ];
  return {
    operationId: name,
    summary,
    tags: [BESIDES],
    parameters: parameters.map((one) => ({ ...one, required: true, schema: { type: 'string' } })),
    responses: { 200: { description: 'Success', content: { [answer]: {} } }, default: problem },
  };
}

/**
 * Write the interface as an OpenAPI 3.1 document.
 *
 * @param alsoServed - what the service answers besides the interface.
 * @returns a value for JSON, with an operation for each row, named as the client's functions are.
 */
export function openApiDocument(alsoServed: readonly AlsoServed[] = []): Json {
  const paths: Record<string, Json> = {};
  for (const one of alsoServed) paths[one.path] = { [one.method.toLowerCase()]: besideOf(one) };
  for (const name of endpointNames) {
    const row: Endpoint = table[name];
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operationOf(name, row) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Materials Characterization Data Service',
      version: '1',
      description:
        'Data catalogue, streaming of growth data, read access to results, growth instruments, target materials, projects and tags.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
      schemas: { Problem: problemSchema },
    },
  };
}
