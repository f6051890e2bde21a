// Requests made from the document that a service publishes: some that fit it, most with something wrong, in parameters, body, head or
// the bytes themselves. The same seed gives the same requests, but for the ids that the service gave.
import type { Chance } from '../../simulation/random.ts';

type Json = Readonly<Record<string, unknown>>;

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body: Schema | null;
}

/** A request as it is sent; the body is bytes, so that it need be no text. */
export interface WrittenRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];

const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    '..',
    '.',
    '/',
    '%',
    '%00',
    '\0',
    '\ud800',
    '\ufeff',
    '\u{1f600}',
    'ß',
    'İ',
    '-',
    '--',
    "'",
    '"',
    ';',
  ],
  ...[
    'null',
    'true',
    'NaN',
    '__proto__',
    'constructor',
    '\r\nX: y',
    '<script>',
    "' OR 1=1 --",
    '{{7*7}}',
    '$1',
    '?',
    '*',
  ],
];
const NUMBERS = [
  ...[0, -0, -1, 1, 0.5, 4.97, 1e-320, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e18, 1e100, 1.7e308],
  ...[1_780_000_000, 1_780_000_000.123, 120, 121, 10_000, 10_001],
];

/** Read the operations of a published document. */
export function operationsOf(document: Json): Operation[] {
  const paths = document.paths as Record<string, Record<string, Json>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = (operation.requestBody as { content: Record<string, { schema: Schema }> } | undefined)?.content;
      return {
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []) as Operation['parameters'],
        body: content?.['application/json']?.schema ?? null,
      };
    }),
  );
}

export class RequestWriter {
  readonly #chance: Chance;
  readonly #operations: readonly Operation[];
  readonly #key: string;
  /** Ids that the service gave, so that some requests are about what is there. */
  readonly #known: string[] = [];

  constructor(chance: Chance, operations: readonly Operation[], key: string) {
    this.#chance = chance;
    this.#operations = operations;
    this.#key = key;
  }

  /** Remember the ids in an answer. */
  learn(answer: string): void {
    for (const [id] of answer.slice(0, 20_000).matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) {
      if (this.#known.length < 500) this.#known.push(id);
      else this.#known[this.#chance.between(0, 499)] = id;
    }
  }

  /** Write the next one. */
  next(): WrittenRequest {
    const chance = this.#chance;
    const operation = chance.pick(this.#operations);
    const method = chance.happens(0.03) ? chance.pick(METHODS) : operation.method;
    const headers: Record<string, string> = {
      'X-API-KEY': chance.happens(0.03) ? chance.pick(['', 'none', 'a'.repeat(5000)]) : this.#key,
      Connection: 'keep-alive',
    };
    let body: Uint8Array | null = null;
    if (operation.body !== null && method !== 'GET' && method !== 'HEAD') {
      headers['Content-Type'] = chance.happens(0.03)
        ? chance.pick(['text/plain', 'application/xml', ''])
        : 'application/json';
      body = this.#spoilt(JSON.stringify(this.#value(operation.body, 0)) ?? '');
    }
    if (chance.happens(0.02)) headers['Content-Encoding'] = chance.pick(['gzip', 'br', 'x']);
    if (chance.happens(0.02)) headers.Range = chance.pick(['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'x']);
    if (chance.happens(0.02)) headers.Accept = chance.pick(['text/html', '*/*', '']);
    return { method, target: this.#target(operation), headers, body };
  }

  #target({ path, parameters }: Operation): string {
    const chance = this.#chance;
    const filled = path.replace(/\{(\w+)\}/g, () => encodeURIComponent(this.#id()).replaceAll('%EF%BF%BD', '%ff'));
    const slashed = chance.happens(0.1) ? (filled.endsWith('/') ? filled.slice(0, -1) : `${filled}/`) : filled;
    const query: string[] = [];
    for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
      if (chance.happens(0.4)) continue;
      const value = this.#value(schema, 0);
      for (const item of Array.isArray(value) ? value : [value]) query.push(`${name}=${this.#inQuery(item)}`);
      if (chance.happens(0.03)) query.push(`${name}=${this.#inQuery(this.#text())}`);
    }
    if (chance.happens(0.03)) query.push(chance.pick(['x=1', 'project_ids=a', '&', '=', '%', 'limit', 'limit[]=1']));
    return `${slashed}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  }

  #inQuery(value: unknown): string {
    if (this.#chance.happens(0.02)) return this.#chance.pick(['%', '%zz', '%ff', '%00', '+', '%ed%a0%80']);
    return encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed());
  }

  #id(): string {
    const chance = this.#chance;
    if (this.#known.length > 0 && chance.happens(0.8)) {
      const id = chance.pick(this.#known);
      return chance.happens(0.05) ? id.toUpperCase() : id;
    }
    return chance.happens(0.5) ? crypto.randomUUID() : this.#text().toWellFormed();
  }

  #text(): string {
    const chance = this.#chance;
    const text = chance.pick(TEXTS);
    if (chance.happens(0.1)) return text.repeat(chance.pick([10, 199, 201, 999, 1001, 20_000]));
    return chance.happens(0.3) ? `${text}${chance.pick(TEXTS)}${chance.between(0, 999)}` : text;
  }

  #anything(depth: number): unknown {
    const chance = this.#chance;
    const kind = chance.between(0, 6);
    if (kind === 0) return null;
    if (kind === 1) return chance.happens(0.5);
    if (kind === 2) return chance.pick(NUMBERS);
    if (kind === 3) return this.#text();
    if (depth > 3) return [];
    if (kind === 4) return Array.from({ length: chance.between(0, 3) }, () => this.#anything(depth + 1));
    return Object.fromEntries(
      Array.from({ length: chance.between(0, 3) }, () => [this.#text(), this.#anything(depth + 1)]),
    );
  }

  /** A value of a schema, now and then of another. */
  #value(schema: Schema, depth: number): unknown {
    const chance = this.#chance;
    if (depth > 8 || chance.happens(0.03)) return this.#anything(depth);
    if (schema.anyOf) return this.#value(chance.pick(schema.anyOf), depth + 1);
    if (schema.enum) return chance.happens(0.9) ? chance.pick(schema.enum) : this.#text();
    const type = typeof schema.type === 'string' ? schema.type : chance.pick(schema.type ?? ['string']);
    if (type === 'null') return null;
    if (type === 'boolean') return chance.happens(0.5);
    if (type === 'integer') return chance.happens(0.7) ? chance.between(schema.minimum ?? 0, 50) : chance.pick(NUMBERS);
    if (type === 'number') return chance.happens(0.7) ? chance.next() * 100 : chance.pick(NUMBERS);
    if (type === 'array') {
      const length = chance.happens(0.02) ? chance.pick([1000, 5000]) : chance.between(0, 4);
      return Array.from({ length }, () => this.#value(schema.items ?? {}, depth + 1));
    }
    if (type === 'object') return this.#object(schema, depth);
    return schema.format === 'uuid' ? this.#id() : this.#text();
  }

  #object(schema: Schema, depth: number): unknown {
    const chance = this.#chance;
    const { properties = {}, required = [], additionalProperties } = schema;
    const object: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(properties)) {
      if (chance.happens(required.includes(name) ? 0.97 : 0.5)) object[name] = this.#value(one, depth + 1);
    }
    if (typeof additionalProperties === 'object') {
      for (let n = chance.between(1, 3); n > 0; n--)
        object[this.#text()] = this.#value(additionalProperties, depth + 1);
    }
    if (chance.happens(0.03)) object[this.#text()] = this.#anything(depth + 1);
    // A chunk has as many values as timestamps, mostly.
    const { timestamps, values } = object;
    if (Array.isArray(timestamps) && Array.isArray(values) && chance.happens(0.9))
      object.values = timestamps.map(() => chance.next());
    return object;
  }

  /** Bytes of a body, now and then such as no program means. */
  #spoilt(text: string): Uint8Array {
    const chance = this.#chance;
    const bytes = Buffer.from(text);
    if (!chance.happens(0.06)) return bytes;
    const kind = chance.between(0, 5);
    if (kind === 0) return bytes.subarray(0, chance.between(0, bytes.length));
    if (kind === 1) return Buffer.concat([bytes, Buffer.from([0xff, 0xfe])]);
    if (kind === 2)
      return Buffer.from(text.replace(/[0-9]+/, (number) => chance.pick(['NaN', '1e999', '-', `0${number}`, '01'])));
    if (kind === 3) return Buffer.from('['.repeat(chance.pick([10, 100_000])));
    if (kind === 4) return Buffer.from(`{"data_id":1,${text.slice(1)}`);
    return Buffer.from(chance.pick(['', 'null', '[]', '0', '"x"', '{}', '\ufeff{}', '{"a":1}{"b":2}']));
  }
}
