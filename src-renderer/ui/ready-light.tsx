import type { ReadyRow } from '../../src-main/contract/snapshot.ts';
import { Quiet } from './quiet.tsx';
import classes from './ready-light.module.css';
import { type Tone, ToneMark } from './tone-mark.tsx';

const names: Readonly<Record<ReadyRow['id'], string>> = {
  log: 'Tool log',
  clock: 'Clock and zone',
  key: 'Key',
  instrument: 'Instrument',
  sample: 'Sample',
  buffer: 'Buffer',
  counter: 'Frame counter',
};

const states: Readonly<Record<ReadyRow['state'], { tone: Tone; word: string }>> = {
  ok: { tone: 'ok', word: 'Well' },
  warn: { tone: 'busy', word: 'Look' },
  missing: { tone: 'attention', word: 'Missing' },
  none: { tone: 'stopped', word: 'None' },
};

/**
 * Sum up the rows of the light.
 *
 * **Gives**: the worst of them as a tone, and a sentence; `none` rows count as nothing missing.
 */
export function sumReady(rows: readonly ReadyRow[]): { tone: Tone; text: string } {
  const named = (state: ReadyRow['state']) => rows.filter((row) => row.state === state).map(({ id }) => names[id]);
  const [missing, warned] = [named('missing'), named('warn')];
  if (rows.length === 0) return { tone: 'stopped', text: 'Nothing runs, so nothing can be said.' };
  if (missing.length > 0) return { tone: 'attention', text: `Missing: ${missing.join(', ').toLowerCase()}.` };
  if (warned.length > 0) return { tone: 'busy', text: `Look at: ${warned.join(', ').toLowerCase()}.` };
  return { tone: 'ok', text: 'All is well for a growth.' };
}

/** The ready-to-grow light: what an operator looks at before a run, each with its state and its reason. */
export function ReadyLight({ rows }: { rows: readonly ReadyRow[] }) {
  const { tone, text } = sumReady(rows);
  if (rows.length === 0) return <Quiet>{text}</Quiet>;
  return (
    <div data-testid="ready">
      <p className={classes.sum} data-tone={tone}>
        <ToneMark tone={tone} size={26} />
        {text}
      </p>
      <ul className={classes.rows}>
        {rows.map(({ id, state, reason }) => (
          <li key={id} data-state={state}>
            <ToneMark tone={states[state].tone} size={18} />
            <div>
              <strong>{names[id]}</strong>
              <span className={classes.word}>{states[state].word}</span>
              <bdi className={classes.reason}>{reason}</bdi>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
