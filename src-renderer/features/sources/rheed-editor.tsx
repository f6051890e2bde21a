import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { type SourceEntry, useCounterPreview } from '../../state/sources.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { RadioChoice } from '../../ui/radio-choice.tsx';
import { TextList } from '../../ui/sources/source-notes.tsx';
import { NameField } from './name-field.tsx';
import { OldLook } from './old-look.tsx';
import {
  type CounterType,
  fieldsOf,
  findRheedFaults,
  type RheedFaults,
  type RheedValues,
  toRheedEntry,
  toRheedValues,
} from './rheed-values.ts';
import { forLook, isSameLook } from './same-look.ts';
import { SaveBar } from './save-bar.tsx';
import classes from './sources.module.css';

/** Set up a frame counter: what it shows now, whether it counts, and the turning in all its units. */
export function RheedEditor({ entry }: { entry: SourceEntry | null }) {
  const [values, setValues] = useState(() => toRheedValues(entry));
  const [isChecked, setChecked] = useState(false);
  const preview = useCounterPreview();
  const faults = findRheedFaults(values);
  const wanted = toRheedEntry(values, entry);
  const change = (part: Partial<RheedValues>) => setValues((before) => ({ ...before, ...part }));
  // A name is given at the end; a look needs none.
  const { id: _, ...lookFaults } = faults;
  const isSeen = isSameLook(preview.variables, wanted);
  const isGood = isSeen && preview.data !== undefined && preview.data.problem === '' && preview.data.seen.length > 0;
  const look = () => {
    setChecked(true);
    if (Object.keys(lookFaults).length === 0) preview.mutate(forLook(wanted));
  };
  return (
    <div className={layout.column}>
      <Panel title={entry === null ? 'A new frame counter' : 'What counts'}>
        <CounterFields values={values} faults={isChecked ? faults : {}} isNew={entry === null} onChange={change} />
      </Panel>
      <Panel title="What it shows now">
        <div className={layout.stack}>
          <Quiet>
            The counter is looked at for some seconds, as the recording would. Let the camera run meanwhile.
          </Quiet>
          <div>
            <Button variant={isGood ? 'default' : 'filled'} loading={preview.isPending} onClick={look}>
              Look at it
            </Button>
          </div>
          {preview.error && <Notice tone="attention" isUrgent {...wordsOf(preview.error)} />}
          {preview.data && <CounterLook view={preview.data} isOld={!isSeen} />}
        </div>
      </Panel>
      <SaveBar
        entry={Object.keys(faults).length === 0 ? wanted : null}
        former={entry && toRheedEntry(toRheedValues(entry), entry)}
        isSeen={isGood}
        isMissingShown={isChecked}
        onMissing={() => setChecked(true)}
      />
    </div>
  );
}

type View = NonNullable<ReturnType<typeof useCounterPreview>['data']>;

function CounterLook({ view, isOld }: { view: View; isOld: boolean }) {
  const { seen, frames, perSecond, problem, hint, warnings, rotation } = view;
  return (
    <div className={layout.stack} data-testid="counter">
      {isOld && <OldLook />}
      {problem !== '' && <Notice tone="attention" isUrgent message={problem} hint={hint} />}
      {problem === '' && seen.length === 0 && (
        <Notice
          tone="busy"
          message="Nothing is there yet."
          hint="Right if the camera has not written yet; else check the fields above."
        />
      )}
      <TextList texts={seen} />
      {seen.length > 0 && (
        <Notice
          tone={frames > 0 ? 'ok' : 'busy'}
          message={
            frames > 0
              ? `It counts: ${formatCounted(frames, 'frame')} came while it was looked at${perSecond === null ? '' : `, about ${perSecond.toFixed(1)} a second`}.`
              : 'It does not count now.'
          }
          hint={frames > 0 ? '' : 'Right if the camera stands still; else start it and look again.'}
        />
      )}
      {warnings.map((warning) => (
        <Notice key={warning.message} tone="attention" {...warning} />
      ))}
      {rotation && (
        <>
          <Facts
            facts={[
              { label: 'Turns per minute', value: String(rotation.rpm) },
              { label: 'Seconds per turn', value: rotation.secondsPerTurn.toFixed(3) },
              {
                label: 'Frames per turn',
                value: rotation.framesPerTurn === null ? 'once the rate is known' : rotation.framesPerTurn.toFixed(2),
              },
              {
                label: 'Sent as a whole number',
                value: rotation.sentRpm === null ? 'left out' : `${rotation.sentRpm} rpm`,
              },
            ]}
          />
          {rotation.text !== '' && <p className={classes.line}>{rotation.text}</p>}
        </>
      )}
    </div>
  );
}

const types: { value: CounterType; label: string }[] = [
  { value: 'images', label: 'Images with a number or time in the name' },
  { value: 'movie', label: 'A movie that grows (kSA, AVI)' },
  { value: 'counter-file', label: 'A small file that is written over and over' },
  { value: 'log', label: 'A text or JSON-lines log' },
  { value: 'serial', label: 'A register behind a port' },
];

const starts: Readonly<Record<RheedValues['start'], string>> = {
  'by-hand': 'By hand',
  'by-counter': 'When the counter begins to count',
};

interface CounterFieldsProps {
  values: RheedValues;
  faults: RheedFaults;
  isNew: boolean;
  onChange: (part: Partial<RheedValues>) => void;
}

function CounterFields({ values, faults, isNew, onChange }: CounterFieldsProps) {
  const own = fieldsOf[values.type];
  const words = {
    path: { label: values.type === 'counter-file' ? 'File' : 'Folder', description: '', max: 4096 },
    match: {
      label: 'Which files',
      description:
        values.type === 'images' ? '{frame} stands for the number, {time} for the time' : '** means any folders',
      max: 200,
    },
    port: { label: 'Port', description: 'COM3, /dev/ttyUSB0, or tcp://host:port', max: 1024 },
    baud: { label: 'Baud rate', description: 'Empty: 9600', max: 7 },
    ask: { label: 'Sent to read it', description: 'Empty: it talks by itself', max: 100 },
    pattern: {
      label: 'Text around the number',
      description: 'frames={frame}; empty: the first whole number',
      max: 200,
    },
  };
  return (
    <div className={layout.fields}>
      {isNew && (
        <NameField placeholder="rheed-camera" value={values.id} error={faults.id} onChange={(id) => onChange({ id })} />
      )}
      <Select
        label="What counts"
        data={types}
        allowDeselect={false}
        value={values.type}
        onChange={(type) => onChange({ type: (type ?? 'images') as CounterType })}
      />
      {own.map((name) => (
        <TextInput
          key={name}
          label={words[name].label}
          description={words[name].description}
          spellCheck={false}
          maxLength={words[name].max}
          value={values[name]}
          error={faults[name]}
          onChange={(event) => onChange({ [name]: event.currentTarget.value })}
        />
      ))}
      <TextInput
        label="Frames per second of the camera"
        description="Empty: as measured"
        inputMode="decimal"
        maxLength={20}
        value={values.fps}
        error={faults.fps}
        onChange={(event) => onChange({ fps: event.currentTarget.value })}
      />
      <TextInput
        label="Turns of the sample per minute"
        description="With its fraction, 4.97; empty: it does not turn"
        inputMode="decimal"
        maxLength={20}
        value={values.rpm}
        error={faults.rpm}
        onChange={(event) => onChange({ rpm: event.currentTarget.value })}
      />
      <RadioChoice
        label="A RHEED session of the service begins"
        choices={starts}
        value={values.start}
        onChange={(start) => onChange({ start })}
      />
    </div>
  );
}
