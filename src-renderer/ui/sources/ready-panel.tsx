import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReadyRow } from '../../../src-main/contract/snapshot.ts';
import type { StateWord } from '../../format/state-words.ts';
import { StateLabel } from '../marks/state-label.tsx';
import { ToneMark } from '../marks/tone-mark.tsx';
import { Panel } from '../panel.tsx';
import classes from './ready-panel.module.css';

const names: Readonly<Record<ReadyRow['id'], string>> = {
  log: 'Tool log',
  clock: 'Clock and zone',
  key: 'Service and key',
  instrument: 'Instrument',
  sample: 'Sample',
  buffer: 'Buffer',
  counter: 'Frame counter',
  awake: 'PC stays awake',
};
const states: Readonly<Record<ReadyRow['state'], StateWord>> = {
  ok: { tone: 'ok', word: 'Ready' },
  warn: { tone: 'attention', word: 'Check' },
  missing: { tone: 'attention', word: 'Missing' },
  none: { tone: 'stopped', word: 'Not used' },
};

/** May a growth begin? A row of lights, each with its word and its reason; one line where nothing is missing or asked. */
export function ReadyPanel({ rows }: { rows: readonly ReadyRow[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = rows.every(({ state }) => state !== 'missing');
  const remarks = rows.filter(({ state }) => state === 'warn' || state === 'missing').map(({ reason }) => reason);
  const aside = (
    <span className={classes.aside}>
      <StateLabel {...overall(rows)} />
      {isFolded && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </span>
  );
  if (isFolded && !isOpen) {
    return (
      <Panel title="Ready to grow" aside={aside}>
        {remarks.length > 0 && <bdi className={classes.lightReason}>{remarks.join(' ')}</bdi>}
      </Panel>
    );
  }
  return (
    <Panel title="Ready to grow" aside={aside}>
      <ul className={classes.lights} data-testid="ready">
        {rows.map(({ id, state, reason }) => (
          <li key={id} className={classes.light} style={{ borderColor: `var(--tone-${states[state].tone})` }}>
            <span className={classes.lightHead} style={{ color: `var(--tone-${states[state].tone})` }}>
              <ToneMark tone={states[state].tone} size={18} />
              <span className={classes.lightWord}>{states[state].word}</span>
            </span>
            <strong>{names[id]}</strong>
            <bdi className={classes.lightReason}>{reason}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function overall(rows: readonly ReadyRow[]): StateWord {
  const missing = rows.filter(({ state }) => state === 'missing').length;
  if (missing > 0) return { tone: 'attention', word: missing === 1 ? '1 item missing' : `${missing} items missing` };
  const warnings = rows.filter(({ state }) => state === 'warn').length;
  if (warnings > 0) return { tone: 'ok', word: warnings === 1 ? 'Ready, 1 warning' : `Ready, ${warnings} warnings` };
  return { tone: 'ok', word: 'Ready' };
}
