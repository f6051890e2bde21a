import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatExact } from '../../format/time.ts';
import { type EntryDetail, useEntry, useEntrySeries } from '../../state/catalogue.ts';
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

/** One entry: what the service says of it, and what it holds, by its kind. */
export function EntryPage({ dataId, backPath }: { dataId: string; backPath: string }) {
  const entry = useEntry(dataId);
  return (
    <div className={layout.stack}>
      <Link href={backPath} className={classes.back ?? ''}>
        <IconChevronLeft size="1.25rem" aria-hidden="true" /> Back to the list
      </Link>
      {entry.data ? (
        <>
          <QueryFault fault={faultOf(entry)} />
          <Content key={dataId} entry={entry.data} />
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

const PICTURE = /\.(png|jpe?g|gif)$/i;

function Content({ entry }: { entry: EntryDetail }) {
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
          {kind === 'xps' && <XpsPanel dataId={dataId} />}
          {kind === 'sims' && <SimsPanel dataId={dataId} />}
          {kind === 'optical' && <FramesPanel dataId={dataId} />}
          {PICTURE.test(name) && (
            <Panel title="Picture">
              <figure className={classes.frame}>
                <Picture dataId={dataId} name={`Picture ${name}`} widthPx={null} heightPx={null} />
              </figure>
            </Panel>
          )}
          {(kind === 'series' || kind === 'rheed') && <SeriesPanel dataId={dataId} />}
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
  const { data, isPending } = useEntrySeries(dataId);
  const exporting = useExports({ entry: dataId });
  const isEmpty = data === null || data?.lines.length === 0;
  return isPending || isEmpty ? null : <ExportPanel name={name} exporting={exporting} />;
}

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
