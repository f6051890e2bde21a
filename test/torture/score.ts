// What a run of torture counts, and the table it ends with.

export interface Faults {
  readonly lost: number;
  readonly doubled: number;
  readonly altered: number;
  readonly unexplained: number;
}

/** The sums of one kind of round. */
export class Score {
  readonly what: string;
  rounds = 0;
  readonly sums = { lost: 0, doubled: 0, altered: 0, unexplained: 0 };
  /** Commands that repeat what went wrong, the first ones. */
  readonly commands: string[] = [];
  /** Time spent, milliseconds. */
  spentMs = 0;

  constructor(what: string) {
    this.what = what;
  }

  /** Count a round; `command` repeats it. */
  add(faults: Faults, command: string): void {
    this.rounds += 1;
    const { lost, doubled, altered, unexplained } = faults;
    this.sums.lost += lost;
    this.sums.doubled += doubled;
    this.sums.altered += altered;
    this.sums.unexplained += unexplained;
    if (lost + doubled + altered + unexplained > 0) this.fail(command, JSON.stringify(faults));
  }

  /** Note a round that went wrong; `what` says how. */
  fail(command: string, what: string): void {
    if (this.commands.length < 10) this.commands.push(`${this.what}: ${what}\n  repeat it: ${command}`);
  }

  get isClean(): boolean {
    const { lost, doubled, altered, unexplained } = this.sums;
    return lost + doubled + altered + unexplained + this.commands.length === 0;
  }
}

/**
 * Draw the table.
 *
 * @returns its lines, and below them what went wrong with the commands that repeat it.
 */
export function drawTable(scores: readonly Score[]): string {
  const head = ['', 'rounds', 'lost', 'doubled', 'altered', 'unexplained gaps', 'a second'];
  const rows = scores.map(({ what, rounds, sums, spentMs }) => [
    what,
    ...[rounds, sums.lost, sums.doubled, sums.altered, sums.unexplained].map((count) => count.toLocaleString('en')),
    spentMs > 0 ? (rounds / (spentMs / 1000)).toFixed(1) : '',
  ]);
  const widths = head.map((_, c) => Math.max(...[head, ...rows].map((row) => (row[c] ?? '').length)));
  const line = (row: readonly string[]) =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c] ?? 0) : cell.padStart(widths[c] ?? 0))).join('  ');
  return [line(head), ...rows.map(line), ...scores.flatMap(({ commands }) => commands)].join('\n');
}
