// Every refusal of the service: problem+json (RFC 9457) with a `detail` that is a text, or for rule violations a list.

export interface ProblemItem {
  /** Place: `body`, `query` or `path`, then the way to the field. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

const titles: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'The key is missing or unknown',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Another method is needed',
  409: 'Conflict',
  413: 'The request is too large',
  415: 'The body must be plain JSON',
  421: 'Not this host',
  422: 'The request breaks a rule',
  500: 'A fault of the service',
  503: 'Not now',
};

/** Thrown by the part that refuses; answered in one place. */
export class Problem extends Error {
  readonly status: number;
  readonly detail: string | readonly ProblemItem[];
  /** Headers of the answer beside its type. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string | readonly ProblemItem[], headers: Readonly<Record<string, string>> = {}) {
    super(typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '));
    this.name = 'Problem';
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }

  /** The answer that tells it. */
  answer(): Response {
    const { status, detail, headers } = this;
    const body = JSON.stringify({ type: 'about:blank', title: titles[status] ?? 'Refused', status, detail });
    return new Response(body, { status, headers: { ...headers, 'Content-Type': 'application/problem+json' } });
  }
}

/** A rule of the interface is broken at one place of the request. */
export function violation(loc: readonly (string | number)[], msg: string, type = 'value_error'): Problem {
  return new Problem(422, [{ loc, msg, type }]);
}

/** An id that the caller's organization does not have; foreign and unknown are told alike. */
export function notFound(what: string, id: string | number): Problem {
  return new Problem(404, `There is no ${what} ${JSON.stringify(id)} in your organization.`);
}
