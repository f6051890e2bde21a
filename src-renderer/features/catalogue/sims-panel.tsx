import { useMemo } from 'react';
import { formatCounted } from '../../format/number.ts';
import { useSims } from '../../state/catalogue.ts';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import type { PlotAxis, PlottedLine } from '../../ui/plot/plotted-line.ts';
import { Quiet } from '../../ui/quiet.tsx';
import { Curves, type Drawn, nameCurves } from './curves.tsx';
import { EntryAnswers } from './entry-answers.tsx';

/** The depth profiles of one or two entries, over decades: an axis for each unit of depth, a plot for each unit. */
export function SimsPanel({ entries }: { entries: readonly Drawn[] }) {
  const asked = useSims(entries.map(({ dataId }) => dataId));
  const data = asked.map((one) => one.data);
  const profiles = data.flatMap((one) => one?.profiles ?? []);
  const groups = useMemo(() => groupByDepth(data, entries), [...data, entries]);
  const left = data.reduce((sum, one) => sum + (one?.left ?? 0), 0);
  return (
    <Panel
      title="SIMS depth profiles"
      aside={profiles.length > 0 && <span>{formatCounted(profiles.length, 'species', 'species')}</span>}
    >
      <div className={layout.stack} data-testid="profiles">
        <EntryAnswers
          entries={entries}
          asked={asked}
          what="depth profile"
          isEmpty={(sims) => sims.profiles.length === 0}
        >
          {groups.map(({ depthUnit, axis, lines }) => (
            <Curves key={depthUnit} lines={lines} axis={axis} scale="log" heightPx={340} whole="Whole depth" />
          ))}
          <Quiet>Log scale: concentrations at or below zero are not shown.</Quiet>
          {left > 0 && <Quiet>{left} more species are not shown.</Quiet>}
        </EntryAnswers>
      </div>
    </Panel>
  );
}

interface Group {
  readonly depthUnit: string;
  readonly axis: PlotAxis;
  readonly lines: readonly PlottedLine[];
}

function groupByDepth(data: readonly ReturnType<typeof useSims>[number]['data'][], entries: readonly Drawn[]): Group[] {
  const profiles = data.flatMap((one, entry) => (one?.profiles ?? []).map((profile) => ({ ...profile, entry })));
  const lines = nameCurves(
    profiles.map(({ entry, species, unit, xs, ys, more }) => {
      const title = more.map(({ name, text }) => `${name}: ${text}`).join('\n');
      return { entry, name: species, title, unit, xs, values: ys };
    }),
    entries,
  );
  return [...Map.groupBy(lines, (_, at) => profiles[at]?.depthUnit ?? '')].map(([depthUnit, own]) => ({
    depthUnit,
    axis: { kind: 'number', label: `depth (${depthUnit || 'no unit'})` },
    lines: own,
  }));
}
