// What storage does, as a script: SQL that every engine knows, a statement a step. An engine runs a script in one transaction: SQLite at
// one go, PostgreSQL step by step over its connection. So what a call means is written once.
// `?` stands for a value; a script that is run again after a conflict begins from scratch.

export type Value = string | number | null | Uint8Array | readonly string[] | readonly number[];

export interface Step {
  readonly sql: string;
  /** In the order of the statement's `?`, or by name where an engine's own statement has names. */
  readonly values: readonly Value[] | Readonly<Record<string, Value>>;
}

/** Gives statements, takes their rows, ends with its outcome. What it throws takes back all that it changed. */
export type Script<T> = Generator<Step, T, readonly unknown[]>;

/** Take all rows of a statement. */
export function* all<Row>(sql: string, ...values: readonly Value[]): Script<readonly Row[]> {
  return (yield { sql, values }) as readonly Row[];
}

/** Take the first row of a statement; undefined when it has none. */
export function* first<Row>(sql: string, ...values: readonly Value[]): Script<Row | undefined> {
  return (yield* all<Row>(sql, ...values))[0];
}

/** Run a statement that gives no rows. */
export function* run(sql: string, ...values: readonly Value[]): Script<void> {
  yield { sql, values };
}
