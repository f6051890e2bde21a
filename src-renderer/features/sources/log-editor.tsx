import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatPlain } from '../../format/number.ts';
import { formatBytes } from '../../format/size.ts';
import { formatMoment, formatZoned } from '../../format/time.ts';
import { wordsOf } from '../../state/ask.ts';
import { useAgentNow } from '../../state/contact.ts';
import { useDraft } from '../../state/draft.ts';
import { useFolders } from '../../state/folders.ts';
import { type LogView, type SourceEntry, useDialects, useLogPreview } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RadioChoice } from '../../ui/radio-choice.tsx';
import { FolderField, MatchField, TimeFormatField } from '../../ui/sources/log-fields.tsx';
import { LogPreview } from '../../ui/sources/log-preview.tsx';
import { ZoneSelect } from '../../ui/sources/zone-select.tsx';
import {
  findLogFaults,
  type LogFaults,
  type LogValues,
  toDialectFields,
  toLogEntry,
  toLogQuestion,
  toLogValues,
} from './log-values.ts';
import { NameField } from './name-field.tsx';
import { NEW_DRAFTS, SaveBar } from './save-bar.tsx';
import classes from './sources.module.css';

interface LogEditorProps {
  /** Null: a new one. */
  entry: SourceEntry | null;
  toolZone: string;
}

/** Set up a log folder: the text of its newest file beside what would be read from it. */
export function LogEditor({ entry, toolZone }: LogEditorProps) {
  const [values, change] = useDraft(entry === null ? NEW_DRAFTS.log : null, () => toLogValues(entry));
  const [isChecked, setChecked] = useState(false);
  const preview = useLogPreview();
  const faults = findLogFaults(values);
  const shown = isChecked ? faults : {};
  const question = toLogQuestion(values, toolZone, entry);
  const isSeen = preview.variables !== undefined && JSON.stringify(preview.variables) === JSON.stringify(question);
  const isGood =
    isSeen &&
    preview.data !== undefined &&
    preview.data.problem === '' &&
    preview.data.files > 0 &&
    preview.data.clock === null;
  // Where the choice stands above, the preview need not say the same again.
  const isOpen = (preview.data?.answers.length ?? 0) > 0;
  const shownView = preview.data && (isOpen ? { ...preview.data, problem: '', hint: '' } : preview.data);
  const look = (of = values) => {
    setChecked(true);
    if (!faults.path && !faults.match) preview.mutate(toLogQuestion(of, toolZone, entry));
  };
  const settle = (dialect: Answer['dialect']) => {
    const fields = toDialectFields(dialect);
    change(fields);
    look({ ...values, ...fields });
  };
  const takeZone = (zone: string) => {
    const timeZone = zone === toolZone ? '' : zone;
    change({ timeZone });
    look({ ...values, timeZone });
  };
  return (
    <div className={layout.column}>
      <Panel title={entry === null ? 'A new log folder' : 'Where and how it is read'}>
        <LogFields values={values} faults={shown} isNew={entry === null} toolZone={toolZone} onChange={change} />
      </Panel>
      <Panel title="What would be read">
        <div className={layout.stack}>
          <div>
            <Button variant={isGood ? 'default' : 'filled'} loading={preview.isPending} onClick={() => look()}>
              Preview
            </Button>
          </div>
          {preview.error && <Notice tone="attention" isUrgent {...wordsOf(preview.error)} />}
          {preview.data && isOpen && <AnswerChoice view={preview.data} zone={question.timeZone} onSettle={settle} />}
          {preview.data && preview.data.files > 0 && <OldData view={preview.data} values={values} />}
          {shownView && (
            <LogPreview
              preview={shownView}
              zone={preview.variables?.timeZone ?? toolZone}
              oldZone={preview.variables?.oldZone}
              isOld={!isSeen}
              onZone={takeZone}
            />
          )}
        </div>
      </Panel>
      <SaveBar
        kind="log"
        entry={Object.keys(faults).length === 0 ? toLogEntry(values, entry) : null}
        former={entry && toLogEntry(toLogValues(entry), entry)}
        isSeen={isGood}
        mustPreview={question.oldZone !== undefined && !(isSeen && preview.isSuccess)}
        isMissingShown={isChecked}
        onMissing={() => setChecked(true)}
      />
    </div>
  );
}

type Answer = LogView['answers'][number];

interface AnswerChoiceProps {
  view: LogView;
  /** In which the first line is told: that of the log. */
  zone: string;
  onSettle: (dialect: Answer['dialect']) => void;
}

/** A question about the log: each answer beside what it makes of the first line. */
function AnswerChoice({ view, zone, onSettle }: AnswerChoiceProps) {
  return (
    <div className={layout.stack} data-testid="answer-choice">
      <Notice tone="attention" message={view.problem} hint={view.hint} isUrgent />
      <div className={classes.choices}>
        {view.answers.map(({ dialect, text, firstMs, channels, problem }) => (
          <div key={text} className={classes.choice}>
            <h3>
              <bdi>{text}</bdi>
            </h3>
            {problem === '' ? (
              <p>
                The first line is of {firstMs === null ? 'no time that can be read' : formatZoned(firstMs, zone)}
                {channels.map(({ name, value }) => (
                  <span key={name}>
                    , <bdi>{name}</bdi> {value === null ? 'without a value' : formatPlain(value)}
                  </span>
                ))}
                .
              </p>
            ) : (
              <p>Another question follows: {problem}</p>
            )}
            <Button variant="default" aria-label={`It is this one: ${text}`} onClick={() => onSettle(dialect)}>
              It is this one
            </Button>
          </div>
        ))}
      </div>
    </div>
  );
}

function OldData({ view, values }: { view: LogView; values: LogValues }) {
  const nowMs = useAgentNow();
  const { bytes, oldestMs, newestMs } = view;
  const span = `${formatBytes(bytes)}, changed last from ${formatMoment(oldestMs, nowMs)} to ${formatMoment(newestMs, nowMs)}`;
  const said = {
    'from-now': 'is not read; only what is written from now on.',
    all: 'is read too, behind what is new.',
    date: `is read from ${values.backfillDate || 'that day'} on, behind what is new.`,
  }[values.backfill];
  return (
    <p className={classes.line}>
      The data in the folder ({span}) {said}
    </p>
  );
}

const backfills: Readonly<Record<LogValues['backfill'], string>> = {
  'from-now': 'Only what is written from now on',
  all: 'Everything',
  date: 'From a day on',
};

interface LogFieldsProps {
  values: LogValues;
  faults: LogFaults;
  isNew: boolean;
  toolZone: string;
  onChange: (part: Partial<LogValues>) => void;
}

function LogFields({ values, faults, isNew, toolZone, onChange }: LogFieldsProps) {
  const dialects = useDialects();
  const names = (dialects.data ?? []).map((name) => ({ value: name, label: name }));
  const described = values.dialect === '' ? [{ value: '', label: 'as described' }] : [];
  return (
    <div className={layout.fields}>
      {isNew && (
        <NameField placeholder="chamber-log" value={values.id} error={faults.id} onChange={(id) => onChange({ id })} />
      )}
      <FolderField
        useFolders={useFolders}
        value={values.path}
        error={faults.path}
        onChange={(path) => onChange({ path })}
      />
      <MatchField value={values.match} error={faults.match} onChange={(match) => onChange({ match })} />
      <Select
        label="How they are written"
        description="auto recognises, and says from what it concluded what"
        data={[...described, { value: 'auto', label: 'auto' }, ...names]}
        allowDeselect={false}
        searchable
        value={values.dialect}
        onChange={(dialect) => onChange({ dialect: dialect ?? 'auto' })}
      />
      <TimeFormatField value={values.timeFormat} onChange={(timeFormat) => onChange({ timeFormat })} />
      <ZoneSelect
        label="Time zone of its times"
        description={values.timeZone === '' ? `As the tool: ${toolZone}` : 'For times in the logs that name no zone'}
        value={values.timeZone || toolZone}
        onChange={(timeZone) => onChange({ timeZone: timeZone === toolZone ? '' : timeZone })}
      />
      <RadioChoice
        label="Data that is already in the folder"
        choices={backfills}
        value={values.backfill}
        onChange={(backfill) => onChange({ backfill })}
      />
      {values.backfill === 'date' && (
        <TextInput
          type="date"
          label="First day"
          value={values.backfillDate}
          error={faults.backfillDate}
          onChange={(event) => onChange({ backfillDate: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
