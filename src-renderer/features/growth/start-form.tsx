import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { SourceView } from '../../../src-main/contract/snapshot.ts';
import { wordsOf } from '../../state/ask.ts';
import type { GrowthStart } from '../../state/growth.ts';
import { useKnown } from '../../state/library.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { noChoice } from './choice-values.ts';
import classes from './growth.module.css';
import { useChoice } from './use-choice.ts';

interface StartFormProps {
  sources: readonly SourceView[];
  label: string;
  isBusy: boolean;
  failed: Error | null;
  onStart: (start: GrowthStart) => void;
  onBack?: () => void;
}

/** Everything that can be chosen for a growth; nothing must be, so that a start never waits for a name. */
export function StartForm({ sources, label, isBusy, failed, onStart, onBack }: StartFormProps) {
  const [points, setPoints] = useState<Readonly<Record<string, number | string>>>({});
  const known = useKnown().data;
  const { read, ...form } = useChoice(known, () => noChoice);
  const submit = () => {
    const choice = read();
    if (choice === null) return;
    const chosen = sources.flatMap(({ id }) => {
      const count = points[id];
      return typeof count === 'number' ? [{ sourceId: id, points: count }] : [];
    });
    onStart({ ...choice, ...(chosen.length > 0 ? { pointsPerChunk: chosen } : {}) });
  };
  return (
    <form
      className={layout.stack}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ChoiceFields {...form} known={known} hasCounter={sources.some(({ kind }) => kind === 'rheed')} />
      {sources.length > 0 && (
        <details className={classes.more}>
          <summary>Points per chunk, for each source</summary>
          <p className={classes.fieldNote}>
            A chunk is sent once it is full. Empty: as the settings say. A stream keeps this number for as long as it
            lasts.
          </p>
          <div className={classes.points}>
            {sources.map(({ id }) => (
              <NumberInput
                key={id}
                label={<bdi>{id}</bdi>}
                aria-label={`Points per chunk of ${id}`}
                placeholder="as the settings say"
                min={1}
                max={1000}
                allowDecimal={false}
                allowNegative={false}
                hideControls
                value={points[id] ?? ''}
                onChange={(count) => setPoints((before) => ({ ...before, [id]: count }))}
              />
            ))}
          </div>
        </details>
      )}
      {failed && <Notice tone="attention" isUrgent {...wordsOf(failed)} />}
      <div className={classes.actions}>
        <Button type="submit" size="xl" loading={isBusy}>
          {label}
        </Button>
        {onBack && (
          <Button variant="default" size="lg" onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </form>
  );
}
