import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCounted, formatUncertain } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { useDraft } from '../../state/draft.ts';
import { useFolders } from '../../state/folders.ts';
import { type SourceEntry, useCounterPreview, useProposedNames } from '../../state/sources.ts';
import { Facts } from '../../ui/facts.tsx';
import { FolderInput } from '../../ui/folder-input.tsx';
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
  findRheedFaults,
  type RheedFaults,
  type RheedValues,
  shownFieldsOf,
  toRheedEntry,
  toRheedValues,
} from './rheed-values.ts';
import { forLook, isSameLook } from './same-look.ts';
import { NEW_DRAFTS, SaveBar } from './save-bar.tsx';
import classes from './sources.module.css';
import { words } from './words.ts';

const { counter: texts } = words;

/** Set up a frame counter: what it shows now, whether it counts, and the turning in all its units. */
export function RheedEditor({ entry }: { entry: SourceEntry | null }) {
  const [values, change] = useDraft(entry === null ? NEW_DRAFTS.rheed : null, () => toRheedValues(entry));
  const [isChecked, setChecked] = useState(false);
  const preview = useCounterPreview();
  const proposed = useProposedNames();
  const faults = findRheedFaults(values);
  const wanted = toRheedEntry(values, entry);
  const isSeen = isSameLook(preview.variables, wanted);
  const isGood = isSeen && preview.data !== undefined && preview.data.problem === '' && preview.data.seen.length > 0;
  const test = async () => {
    setChecked(true);
    // A name is given at the end, and the folder tells its pattern; a test needs neither.
    const { id: _, match, ...others } = faults;
    if (Object.keys(others).length > 0) return;
    if (!match) return preview.mutate(forLook(wanted));
    preview.reset();
    const found = await proposed.mutateAsync({ folder: values.path.trim(), glob: values.match.trim() });
    const filled = { ...values, match: found.match, timeFormat: found.timeFormat ?? '' };
    change({ match: filled.match, timeFormat: filled.timeFormat });
    preview.mutate(forLook(toRheedEntry(filled, entry)));
  };
  const start = () => void test().catch(() => undefined);
  const shown = isChecked && !proposed.isPending ? faults : {};
  return (
    <div className={layout.column}>
      <Panel title={entry === null ? texts.newTitle : texts.title}>
        <CounterFields values={values} faults={shown} isNew={entry === null} onChange={change} />
      </Panel>
      <Panel title={texts.test}>
        <div className={layout.stack}>
          <Quiet>{texts.testHelp}</Quiet>
          <div>
            <Button
              variant={isGood ? 'default' : 'filled'}
              loading={preview.isPending || proposed.isPending}
              onClick={start}
            >
              {texts.start}
            </Button>
          </div>
          {proposed.error && <Notice tone="attention" isUrgent {...wordsOf(proposed.error)} />}
          {proposed.data?.match === values.match && (
            <Notice tone="ok" message={texts.found(proposed.data.match, proposed.data.files)} hint="" />
          )}
          {preview.error && <Notice tone="attention" isUrgent {...wordsOf(preview.error)} />}
          {preview.data && (
            <CounterLook
              view={preview.data}
              isOld={!isSeen}
              isRateGiven={(preview.variables as { fps_capture_rate?: number }).fps_capture_rate !== undefined}
            />
          )}
        </div>
      </Panel>
      <SaveBar
        kind="rheed"
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

interface CounterLookProps {
  view: View;
  isOld: boolean;
  /** The camera's rate was typed, not measured. */
  isRateGiven: boolean;
}

function CounterLook({ view, isOld, isRateGiven }: CounterLookProps) {
  const { seen, frames, rate, problem, hint, warnings, rotation } = view;
  return (
    <div className={layout.stack} data-testid="counter">
      {isOld && <OldLook />}
      {problem !== '' && <Notice tone="attention" isUrgent message={problem} hint={hint} />}
      {problem === '' && seen.length === 0 && <Notice tone="busy" message={texts.nothing} hint={texts.nothingHelp} />}
      <TextList texts={seen} />
      {seen.length > 0 && (
        <Notice
          tone={frames > 0 ? 'ok' : 'busy'}
          message={
            frames > 0
              ? texts.working(
                  formatCounted(frames, 'new frame'),
                  rate === null ? '' : formatUncertain(rate.perSecond, rate.uncertainty),
                )
              : texts.still
          }
          hint={frames > 0 ? '' : texts.stillHelp}
        />
      )}
      {warnings.map((warning) => (
        <Notice key={warning.message} tone="attention" {...warning} />
      ))}
      {rotation && <Rotation rotation={rotation} rate={isRateGiven ? null : rate} />}
    </div>
  );
}

/** The turning in its units; frames per turn are as uncertain as the rate that was measured. */
function Rotation({ rotation, rate }: { rotation: NonNullable<View['rotation']>; rate: View['rate'] }) {
  const { rpm, secondsPerTurn, framesPerTurn, sentRpm, degreesPerTurn, degreesPerMinute } = rotation;
  const uncertainty = rate === null ? 0 : rate.uncertainty * secondsPerTurn;
  return (
    <>
      <Facts
        facts={[
          { label: texts.rpm, value: String(rpm) },
          { label: texts.period, value: secondsPerTurn.toFixed(3) },
          {
            label: texts.framesPerTurn,
            value: framesPerTurn === null ? texts.unknownRate : formatUncertain(framesPerTurn, uncertainty),
          },
          { label: texts.sent, value: sentRpm === null ? texts.notSent : `${sentRpm} rpm` },
        ]}
      />
      {degreesPerTurn !== null && degreesPerTurn !== 0 && (
        <p className={classes.line}>{texts.drift(sentRpm ?? 0, degreesPerTurn, degreesPerMinute ?? 0)}</p>
      )}
    </>
  );
}

const types = Object.entries(texts.types).map(([value, label]) => ({ value: value as CounterType, label }));

interface CounterFieldsProps {
  values: RheedValues;
  faults: RheedFaults;
  isNew: boolean;
  onChange: (part: Partial<RheedValues>) => void;
}

function CounterFields({ values, faults, isNew, onChange }: CounterFieldsProps) {
  const own = shownFieldsOf(values);
  const { fields } = texts;
  const about = {
    path: { label: values.type === 'counter-file' ? fields.file : fields.folder, max: 4096 },
    match: {
      label: fields.match,
      description: values.type === 'images' ? fields.matchImages : fields.matchOthers,
      max: 200,
    },
    timeFormat: { label: fields.timeFormat, description: fields.timeFormatHelp, max: 100 },
    port: { label: fields.port, description: fields.portHelp, max: 1024 },
    baud: { label: fields.baud, description: fields.baudHelp, max: 7 },
    ask: { label: fields.ask, description: fields.askHelp, max: 100 },
    pattern: { label: fields.pattern, description: fields.patternHelp, max: 200 },
  };
  return (
    <div className={layout.fields}>
      {isNew && (
        <NameField placeholder="rheed-camera" value={values.id} error={faults.id} onChange={(id) => onChange({ id })} />
      )}
      <Select
        label={fields.type}
        data={types}
        allowDeselect={false}
        value={values.type}
        onChange={(type) => onChange({ type: (type ?? 'images') as CounterType })}
      />
      {own.map((name) => {
        const { label, max, ...rest } = about[name];
        if (name === 'path' && values.type !== 'counter-file')
          return (
            <FolderInput
              key={name}
              label={label}
              useFolders={useFolders}
              value={values.path}
              error={faults.path}
              onChange={(path) => onChange({ path })}
            />
          );
        return (
          <TextInput
            key={name}
            label={label}
            {...rest}
            spellCheck={false}
            maxLength={max}
            value={values[name]}
            error={faults[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        );
      })}
      <TextInput
        label={fields.fps}
        description={fields.fpsHelp}
        inputMode="decimal"
        maxLength={20}
        value={values.fps}
        error={faults.fps}
        onChange={(event) => onChange({ fps: event.currentTarget.value })}
      />
      <TextInput
        label={fields.rotation}
        description={fields.rotationHelp}
        inputMode="decimal"
        maxLength={20}
        value={values.rpm}
        error={faults.rpm}
        onChange={(event) => onChange({ rpm: event.currentTarget.value })}
      />
      <RadioChoice
        label={fields.session}
        choices={texts.starts}
        value={values.start}
        onChange={(start) => onChange({ start })}
      />
    </div>
  );
}
