import { useMemo, useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { type SimsProfile, useSims } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import type { PlotSpan, PlottedLine } from '../../ui/plot/plotted-line.ts';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

/** The depth profiles of an entry, over decades, a plot for each pair of units. */
export function SimsPanel({ dataId }: { dataId: string }) {
  const sims = useSims(dataId);
  const profiles = sims.data?.profiles ?? [];
  const groups = useMemo(() => groupByUnits(sims.data?.profiles ?? []), [sims.data]);
  return (
    <Panel
      title="SIMS depth profiles"
      aside={sims.data && <span>{formatCounted(profiles.length, 'species', 'species')}</span>}
    >
      <div className={layout.stack} data-testid="profiles">
        <Answered isPending={sims.isPending} fault={faultOf(sims)} loading="Asking for the depth profiles.">
          {profiles.length === 0 && <Quiet>The service holds no depth profile of this entry.</Quiet>}
          {groups.map((group) => (
            <Profiles key={`${group.unit} ${group.depthUnit}`} {...group} />
          ))}
          {profiles.length > 0 && <Quiet>Log scale: concentrations at or below zero are not shown.</Quiet>}
          {(sims.data?.left ?? 0) > 0 && <Quiet>{sims.data?.left} more species are not shown.</Quiet>}
        </Answered>
      </div>
    </Panel>
  );
}

interface Group {
  readonly unit: string;
  readonly depthUnit: string;
  readonly lines: PlottedLine[];
}

function Profiles({ unit, depthUnit, lines }: Group) {
  const [wanted, setWanted] = useState<PlotSpan | null>(null);
  const axis = useMemo(() => ({ kind: 'number' as const, label: `depth (${depthUnit || 'no unit'})` }), [depthUnit]);
  const ends = lines.flatMap(({ xs }) => [xs[0] ?? 0, xs.at(-1) ?? 1]);
  const span = wanted ?? { from: Math.min(...ends), to: Math.max(...ends) };
  return (
    <>
      <PlotPanel unit={unit} lines={lines} axis={axis} scale="log" heightPx={340} {...span} onSpan={setWanted} />
      {wanted && (
        <button type="button" className={classes.textButton} onClick={() => setWanted(null)}>
          Whole depth
        </button>
      )}
    </>
  );
}

function groupByUnits(profiles: readonly SimsProfile[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [colour, { species, unit, depthUnit, xs, ys, more }] of profiles.entries()) {
    const key = JSON.stringify([unit, depthUnit]);
    const group = groups.get(key) ?? { unit, depthUnit, lines: [] };
    const title = more.map(({ name, text }) => `${name}: ${text}`).join('\n');
    group.lines.push({ key: `${colour} ${species}`, name: species, title, unit, xs, values: ys, colour });
    groups.set(key, group);
  }
  return [...groups.values()];
}
