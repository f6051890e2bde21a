import { Select } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { pathOfEntry } from '../../format/entry-path.ts';
import { formatExact } from '../../format/time.ts';
import { type Entry, type EntryDetail, useEntries, useEntry, useEntrySeries } from '../../state/catalogue.ts';
import { useExports } from '../../state/exports.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import { ExportPanel } from '../../ui/export-panel.tsx';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';
import { EntryTags } from './entry-tags.tsx';
import { StatusWord, wordOfType } from './entry-words.tsx';
import { FramesPanel } from './frames-panel.tsx';
import { pathOfList, wholeCatalogue } from './list-place.ts';
import { Picture } from './picture.tsx';
import { RawFilePanel } from './raw-file-panel.tsx';
import { RheedPanel } from './rheed-panel.tsx';
import { SeriesPanel } from './series-panel.tsx';
import { SimsPanel } from './sims-panel.tsx';
import { words } from './words.ts';
import { XpsPanel } from './xps-panel.tsx';

interface EntryPageProps {
  dataId: string;
  /** The entry whose curves are laid over those of this one; null: none. */
  overId: string | null;
  backPath: string;
}

/** One entry: what the service says of it, and what it holds, by its kind. */
export function EntryPage({ dataId, overId, backPath }: EntryPageProps) {
  const entry = useEntry(dataId);
  return (
    <div className={layout.stack}>
      <Link href={backPath} className={classes.back ?? ''}>
        <IconChevronLeft size="1.25rem" aria-hidden="true" /> Back to the list
      </Link>
      {entry.data ? (
        <>
          <QueryFault fault={faultOf(entry)} />
          <Content key={dataId} entry={entry.data} overId={overId} />
        </>
      ) : (
        <Panel title="Entry">
          <Answered isPending={entry.isPending} fault={faultOf(entry)} loading="Asking the service for this entry.">
            <Quiet>
              The service knows no entry <bdi>{dataId}</bdi>, or it belongs to another organization.
            </Quiet>
          </Answered>
        </Panel>
      )}
    </div>
  );
}

/** Options drawn at once; others are found by typing. */
const OPTIONS_MAX = 100;
const PICTURE = /\.(png|jpe?g|gif)$/i;

function Content({ entry, overId }: { entry: EntryDetail; overId: string | null }) {
  const { dataId, name, type } = entry;
  const kind = kindOf(type);
  return (
    <>
      <Panel title={<bdi>{name === '' ? dataId : name}</bdi>} aside={<StatusWord status={entry.status} />}>
        <div className={layout.stack}>
          <Facts facts={factsOf(entry)} isRoomy />
          <EntryTags entry={entry} />
        </div>
      </Panel>
      <div className={classes.columns}>
        <div className={layout.column}>
          {kind === 'optical' && <FramesPanel dataId={dataId} />}
          {PICTURE.test(name) && (
            <Panel title="Picture">
              <figure className={classes.frame}>
                <Picture dataId={dataId} name={`Picture ${name}`} widthPx={null} heightPx={null} />
              </figure>
            </Panel>
          )}
          {kind !== 'optical' && <CurvePanels entry={entry} overId={overId} />}
        </div>
        <div className={layout.column}>
          {kind === 'rheed' && <RheedPanel dataId={dataId} />}
          <RawFilePanel dataId={dataId} name={name} />
          {(kind === 'series' || kind === 'rheed') && <SeriesExport dataId={dataId} name={name || dataId} />}
        </div>
      </div>
    </>
  );
}

/** Absent for an entry without a time series. */
function SeriesExport({ dataId, name }: { dataId: string; name: string }) {
  const [series] = useEntrySeries([dataId]);
  const exporting = useExports({ entry: dataId });
  const isEmpty = series?.data === null || series?.data?.lines.length === 0;
  return series === undefined || series.isPending || isEmpty ? null : <ExportPanel name={name} exporting={exporting} />;
}

/** The curves of an entry, with the choice of another one of its kind that is laid over it. */
function CurvePanels({ entry: { dataId, name, type }, overId }: { entry: EntryDetail; overId: string | null }) {
  const [, navigate] = useLocation();
  const kind = kindOf(type);
  const list = useEntries({ ...wholeCatalogue, type }, 0);
  const others = (list.data?.entries ?? []).filter((one) => one.dataId !== dataId);
  const options = others.map((one) => ({ value: one.dataId, label: labelOf(one) }));
  const over = others.find((one) => one.dataId === overId);
  const isNamesake = over?.name === name;
  const overName = over && !isNamesake ? over.name || overId : overId;
  const entries = useMemo(() => {
    const own = { dataId, name: name || dataId };
    return overId === null || overName === null ? [own] : [own, { dataId: overId, name: overName }];
  }, [dataId, name, overId, overName]);
  return (
    <>
      <QueryFault fault={faultOf(list)} />
      <Select
        label={words.over}
        placeholder={words.overNone}
        data={overId === null || over ? options : [{ value: overId, label: overId }, ...options]}
        value={overId}
        searchable
        clearable
        limit={OPTIONS_MAX}
        onChange={(id) => navigate(pathOfEntry(dataId, id))}
      />
      {kind === 'xps' && <XpsPanel entries={entries} />}
      {kind === 'sims' && <SimsPanel entries={entries} />}
      {(kind === 'series' || kind === 'rheed') && <SeriesPanel entries={entries} />}
    </>
  );
}

const labelOf = ({ name, dataId, uploadedMs }: Entry) =>
  `${name || dataId}${uploadedMs === null ? '' : ` · ${formatExact(uploadedMs)}`}`;

/** What an entry of this kind holds. Kinds that are not known may hold a time series, which is asked for. */
function kindOf(type: string): 'xps' | 'sims' | 'optical' | 'rheed' | 'series' {
  if (type === 'xps' || type === 'sims' || type === 'optical') return type;
  return type.startsWith('rheed') ? 'rheed' : 'series';
}

function factsOf({ dataId, type, uploadedMs, accessedMs, sampleId, sampleName, projects, more }: EntryDetail) {
  const time = (ms: number | null) => (ms === null ? words.none : formatExact(ms));
  const ofSample = sampleId === null ? null : pathOfList({ ...wholeCatalogue, sampleIds: [sampleId] });
  return [
    { label: words.type, value: <bdi>{type === '' ? words.none : wordOfType(type)}</bdi> },
    {
      label: 'Sample',
      value: ofSample ? (
        <Link href={ofSample} className={classes.inline ?? ''}>
          <bdi>{sampleName ?? sampleId}</bdi>
        </Link>
      ) : (
        <bdi>{sampleName ?? 'none'}</bdi>
      ),
    },
    {
      label: 'Projects',
      value: <bdi>{projects.length === 0 ? 'none' : projects.map(({ name }) => name).join(', ')}</bdi>,
    },
    { label: 'Uploaded', value: time(uploadedMs) },
    { label: 'Last read', value: time(accessedMs) },
    { label: 'ID', value: <bdi>{dataId}</bdi> },
    ...more.map(({ name, text }) => ({ label: name, value: <bdi>{text}</bdi> })),
  ];
}
