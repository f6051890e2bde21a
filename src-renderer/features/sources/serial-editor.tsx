import { Button } from '@mantine/core';
import { useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import { useDraft } from '../../state/draft.ts';
import { type SourceEntry, useLook } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { InstrumentFields } from './instrument-fields.tsx';
import { LineLook } from './line-look.tsx';
import { PortFields } from './port-fields.tsx';
import { forLook, isSameLook } from './same-look.ts';
import { NEW_DRAFTS, SaveBar } from './save-bar.tsx';
import { findSerialFaults, toSerialEntry, toSerialValues } from './serial-values.ts';
import classes from './sources.module.css';

/** Set up an instrument on a line: which port, which instrument, and the bytes as they come beside the values. */
export function SerialEditor({ entry }: { entry: SourceEntry | null }) {
  const [values, change] = useDraft(entry === null ? NEW_DRAFTS.serial : null, () => toSerialValues(entry));
  const [isChecked, setChecked] = useState(false);
  const { look, of, isUnderWay, error, start, end } = useLook();
  const faults = findSerialFaults(values, entry);
  const shown = isChecked ? faults : {};
  const wanted = toSerialEntry(values, entry);
  // A name is given at the end; a look needs none.
  const { id: _, ...lookFaults } = faults;
  const begin = () => {
    setChecked(true);
    if (Object.keys(lookFaults).length === 0) start.mutate({ entry: forLook(wanted) });
  };
  const isSeen = isSameLook(of && 'entry' in of ? of.entry : undefined, wanted);
  const isGood = isSeen && (look?.readings.some(({ value }) => value !== null) ?? false);
  return (
    <div className={layout.column}>
      <Panel title={entry === null ? 'New instrument: connection' : 'Connection'}>
        <PortFields values={values} faults={shown} isNew={entry === null} onChange={change} />
      </Panel>
      <Panel title="The instrument">
        <InstrumentFields values={values} faults={shown} entry={entry} onChange={change} />
      </Panel>
      <Panel title="Live test">
        <div className={layout.stack}>
          <Quiet>
            The bytes as they pass, and what would be read from them. Nothing is stored, and nothing is sent but the
            questions listed above.
          </Quiet>
          <div className={classes.actions}>
            {!isUnderWay && (
              <Button variant={isGood ? 'default' : 'filled'} loading={start.isPending} onClick={begin}>
                Start test
              </Button>
            )}
            {isUnderWay && (
              <Button variant="default" onClick={end}>
                Stop
              </Button>
            )}
          </div>
          {error && <Notice tone="attention" isUrgent {...wordsOf(error)} />}
          {look && <LineLook look={look} isOld={!isSeen} />}
        </div>
      </Panel>
      <SaveBar
        kind="serial"
        entry={Object.keys(faults).length === 0 ? wanted : null}
        former={entry && toSerialEntry(toSerialValues(entry), entry)}
        isSeen={isGood}
        isMissingShown={isChecked}
        onMissing={() => setChecked(true)}
      />
    </div>
  );
}
