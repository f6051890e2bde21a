import type { AgentOptions } from '../../agent/agent.ts';
import { showControls } from '../../delivery/receipt/receipt-words.ts';

/** Print each event of the journal as a line: time, level where it is not plain, message, and the hint below it. */
export function printEvents(): NonNullable<AgentOptions['onEvent']> {
  // The reader may go (a closed terminal, `| head`): recording goes on, and the log has every line.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return ({ atMs, level, message, hint }) => {
    const time = new Date(atMs).toISOString();
    const mark = level === 'info' ? '' : `${level}: `;
    console.log(`${time}  ${mark}${showControls(message)}`);
    if (hint !== '') console.log(`${' '.repeat(26)}hint: ${showControls(hint)}`);
  };
}
