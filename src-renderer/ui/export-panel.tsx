import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ExportView } from '../../src-main/contract/export.ts';
import type { Argument } from '../../src-main/contract/table.ts';
import { formatCounted } from '../format/number.ts';
import layout from './layout.module.css';
import { Notice } from './notice.tsx';
import { Panel } from './panel.tsx';
import { ProgressLabel } from './progress-label.tsx';
import { QueryFault, type ShownFault } from './query-fault.tsx';
import { Quiet } from './quiet.tsx';

type Wanted = Omit<Argument<'exports', 'start'>, 'of'>;
type Csv = Wanted['csv'];

/** Which exports there are of one thing, and how one is begun and stopped. */
interface Exporting {
  readonly views: readonly ExportView[];
  /** Of the agent's PC; empty while it is not known. */
  readonly folder: string;
  readonly isStarting: boolean;
  /** Why the last one did not begin. */
  readonly refusal: { readonly message: string; readonly hint: string } | null;
  readonly fault: ShownFault | null;
  start(wanted: Wanted): void;
  cancel(id: number): void;
}

interface ExportPanelProps {
  /** Of the file, without what tells its form. */
  name: string;
  exporting: Exporting;
  /** `source/channel`; absent: all. */
  channels?: readonly string[];
}

const FORMS: { value: Wanted['format']; label: string }[] = [
  { value: 'csv', label: 'CSV: a row for each instant (Origin, Igor, spreadsheets)' },
  { value: 'parquet', label: 'Parquet: a row for each point (pandas, polars)' },
  { value: 'nexus', label: 'HDF5 in the classes of NeXus (h5py, NeXpy)' },
  { value: 'nomad-mbe', label: 'HDF5 and an archive for NOMAD: molecular beam epitaxy' },
  { value: 'nomad-sputter', label: 'HDF5 and an archive for NOMAD: sputter deposition' },
  { value: 'package', label: 'Package: zip with series, notes, gaps, receipts, settings' },
];

const SIGNS: { value: string; label: string; csv: Pick<Csv, 'decimal' | 'separator'> }[] = [
  { value: 'en', label: '1.5 with commas between cells', csv: { decimal: '.', separator: ',' } },
  { value: 'de', label: '1,5 with semicolons between cells', csv: { decimal: ',', separator: ';' } },
  { value: 'en-semicolon', label: '1.5 with semicolons between cells', csv: { decimal: '.', separator: ';' } },
  { value: 'en-tab', label: '1.5 with tabs between cells', csv: { decimal: '.', separator: '\t' } },
  { value: 'de-tab', label: '1,5 with tabs between cells', csv: { decimal: ',', separator: '\t' } },
];

const METHODS: { value: NonNullable<Csv['resample']>['method']; label: string }[] = [
  { value: 'mean', label: 'Mean of each step' },
  { value: 'first', label: 'First point of each step' },
  { value: 'last', label: 'Last point of each step' },
  { value: 'min', label: 'Smallest of each step' },
  { value: 'max', label: 'Largest of each step' },
];

/** Readings as a file of this PC, in a form that other programs read; with progress, until it is there or given up. */
export function ExportPanel({ name, exporting, channels = [] }: ExportPanelProps) {
  const [format, setFormat] = useState<Wanted['format']>('csv');
  const [signs, setSigns] = useState('en');
  const [step, setStep] = useState('');
  const [method, setMethod] = useState<(typeof METHODS)[number]['value']>('mean');
  const [asksService, setAsksService] = useState(true);
  const { views, folder, isStarting, refusal, fault, start, cancel } = exporting;
  const hasTable = format === 'csv' || format === 'package';
  const seconds = Number(step.trim().replace(',', '.'));
  const isStepRight = step.trim() === '' || (seconds >= 0.001 && seconds <= 86_400);
  const begin = () => {
    const csv = SIGNS.find(({ value }) => value === signs)?.csv ?? { decimal: '.', separator: ',' };
    const resample = hasTable && step.trim() !== '' ? { everyMs: seconds * 1000, method } : null;
    start({ name, format, channels: [...channels], csv: { ...csv, resample }, asksService });
  };
  return (
    <Panel title="Readings as a file">
      <form
        className={layout.closeStack}
        data-testid="export-form"
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
      >
        <Quiet>
          Numbers keep every digit. Gaps stay empty and are named. The file is written into {folder} of the PC on which
          Epistream runs.
          {channels.length > 0 && ` ${formatCounted(channels.length, 'channel')} of the plots.`}
        </Quiet>
        <div className={layout.fields}>
          <Select
            label="Form"
            data={FORMS}
            value={format}
            allowDeselect={false}
            onChange={(value) => setFormat(FORMS.find((form) => form.value === value)?.value ?? format)}
          />
          {hasTable && (
            <>
              <Select
                label="Numbers and cells"
                data={SIGNS.map(({ value, label }) => ({ value, label }))}
                value={signs}
                allowDeselect={false}
                onChange={(value) => setSigns(value ?? signs)}
              />
              <TextInput
                label="A row every, s"
                description="Empty: as recorded, a row for each instant that has a point."
                inputMode="decimal"
                value={step}
                error={isStepRight ? null : 'From 0.001 to 86400, or empty.'}
                onChange={(event) => setStep(event.currentTarget.value)}
              />
              {step.trim() !== '' && (
                <Select
                  label="What a row holds"
                  data={METHODS}
                  value={method}
                  allowDeselect={false}
                  onChange={(value) => setMethod(METHODS.find((one) => one.value === value)?.value ?? method)}
                />
              )}
            </>
          )}
        </div>
        <Checkbox
          label="Read from the service what is no longer kept on this PC"
          checked={asksService}
          onChange={(event) => setAsksService(event.currentTarget.checked)}
        />
        <div>
          <Button type="submit" disabled={!isStepRight} loading={isStarting}>
            Export
          </Button>
        </div>
        {refusal && <Notice tone="attention" isUrgent {...refusal} />}
        <QueryFault fault={fault} />
        {views.map((view) => (
          <ExportItem key={view.id} view={view} onStop={() => cancel(view.id)} />
        ))}
      </form>
    </Panel>
  );
}

/** One export: how far it is with a way to stop it, then where the file is, or why there is none. */
function ExportItem({ view, onStop }: { view: ExportView; onStop: () => void }) {
  const { state, done, path, points, damagedPoints, pointsGone, message, hint } = view;
  if (state === 'running') {
    return (
      <>
        <ProgressLabel value={done} max={1}>
          Writing {path.split(/[\\/]/).at(-1)}, {Math.floor(100 * done)} %
        </ProgressLabel>
        <div>
          <Button variant="default" onClick={onStop}>
            Stop the export
          </Button>
        </div>
      </>
    );
  }
  if (state === 'failed') return <Notice tone="attention" isUrgent message={message} hint={hint} />;
  if (state === 'cancelled') return <Notice tone="stopped" message="The export was stopped; no file was made." />;
  const gone = pointsGone > 0 ? `${formatCounted(pointsGone, 'older point')} are kept at the service only. ` : '';
  const damaged = damagedPoints > 0 ? `${formatCounted(damagedPoints, 'point')} were altered by the disk.` : '';
  return (
    <Notice
      tone={damagedPoints > 0 ? 'attention' : 'ok'}
      message={`${formatCounted(points, 'point')} written to ${path}.`}
      hint={`${gone}${damaged}`.trim()}
    />
  );
}
