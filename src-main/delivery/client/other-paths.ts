// Where a service serves chunks and series (4.1 and 4.3) at other paths than the interface says, the settings name them: they are
// tried in their order where one answers 404 or 410, which say that nothing was stored there. The one that answered last
// comes first at the next call, so that a path that has moved costs a request once.
import { type Endpoint, table } from '../../interface/table.ts';
import { AgentError } from '../../model/agent-error.ts';
import { ServiceError } from './service-error.ts';

/** The calls that may have other paths. */
type MovedCall = 'ingestChunk' | 'readTimeSeries';

/** Path templates of each, in the order in which they are tried; none: the interface's own path alone. */
export type OtherPaths = Readonly<Record<MovedCall, readonly string[]>>;

/** What the settings file calls each. */
const SETTING: Readonly<Record<MovedCall, string>> = {
  ingestChunk: 'service.paths.chunk',
  readTimeSeries: 'service.paths.series',
};

const isMoved = (name: string): name is MovedCall => Object.hasOwn(SETTING, name);

const isGone = (fault: unknown): fault is ServiceError =>
  fault instanceof ServiceError && (fault.status === 404 || fault.status === 410);

function movedNote(name: MovedCall, from: Endpoint, to: Endpoint): AgentError {
  return new AgentError({
    code: 'service.path-moved',
    message: `The service no longer answers at ${from.method} ${from.path}; ${to.path} is used in its place.`,
    hint: `Nothing is lost. If it stays so, name ${to.path} first in ${SETTING[name]}.`,
  });
}

function goneEverywhere(name: MovedCall, fault: ServiceError, tried: readonly Endpoint[]): ServiceError {
  const { code, message, hint, failure, status, body, context } = fault;
  const others = tried.slice(1).map(({ path }) => path);
  return new ServiceError({
    message: others.length === 0 ? message : `${message} (nor at ${others.join(', ')})`,
    hint: `${hint} If the service has given this path up, name the new one in ${SETTING[name]} of the settings.`,
    code,
    failure,
    status,
    body,
    context,
    cause: fault,
  });
}

export class PathChoice {
  /** The rows of each call, the one that answered last first. */
  readonly #rows = new Map<string, readonly Endpoint[]>();
  readonly #onMoved: (note: AgentError) => void;

  /** Takes the paths of the settings, and who is told that another one is used from now on. */
  constructor(paths: Partial<OtherPaths>, onMoved: (note: AgentError) => void) {
    for (const [name, templates = []] of Object.entries(paths)) {
      const row: Endpoint = table[name as MovedCall];
      if (templates.length > 0) {
        this.#rows.set(
          name,
          templates.map((path) => ({ ...row, path: path as Endpoint['path'] })),
        );
      }
    }
    this.#onMoved = onMoved;
  }

  /**
   * Ask at the path that answered last, then at the others while each says 404 or 410.
   *
   * @param ask - one request with a row of the table.
   * @returns the first answer.
   * @throws what `ask` throws: of the first path where all are gone, and the message names the others then.
   */
  async follow<T>(name: keyof typeof table, ask: (row: Endpoint) => Promise<T>): Promise<T> {
    if (!isMoved(name)) return ask(table[name]);
    const rows = this.#rows.get(name) ?? [table[name]];
    let first: ServiceError | null = null;
    for (const row of rows) {
      try {
        const answer = await ask(row);
        if (row !== rows[0]) this.#prefer(name, row, rows);
        return answer;
      } catch (fault) {
        if (!isGone(fault)) throw fault;
        first ??= fault;
      }
    }
    throw goneEverywhere(name, first as ServiceError, rows);
  }

  #prefer(name: MovedCall, row: Endpoint, rows: readonly Endpoint[]): void {
    // Of several requests under way together the first one tells.
    if (this.#rows.get(name) !== rows) return;
    this.#rows.set(name, [row, ...rows.filter((other) => other !== row)]);
    this.#onMoved(movedNote(name, rows[0] as Endpoint, row));
  }
}
