import { Button, Select } from '@mantine/core';
import { useAgentNow } from '../../state/contact.ts';
import { sourcesOfGrowth, useGrowths } from '../../state/growth.ts';
import { usePlottedLimits } from '../../state/limits.ts';
import { type PlotChannel, steadyEnd, usePlots } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Notice } from '../../ui/notice.tsx';
import type { PlotAxis } from '../../ui/plot/plotted-line.ts';
import { UnitPlots } from '../../ui/plot/unit-plots.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { type Alignment, alignmentsOf, linesOf, placeGrowths, wholeSpan } from './growth-lines.ts';
import type { PlotState } from './plot-view.ts';
import classes from './plots.module.css';
import { ScaleSwitch } from './span-controls.tsx';
import { words } from './words.ts';

interface GrowthPlotsProps {
  state: PlotState;
  shown: readonly PlotChannel[];
  onChange: (state: PlotState) => void;
}

/** Growths laid over each other from a moment that they share, a plot for each unit. */
export function GrowthPlots({ state, shown, onChange }: GrowthPlotsProps) {
  const nowMs = useAgentNow();
  const limits = usePlottedLimits();
  const asked = useGrowths(state.ids);
  const growths = asked.flatMap(({ data }) => data ?? []);
  const plots = usePlots(
    growths.map((growth) => {
      const { id, startedMs, endedMs } = growth;
      const sourceIds = sourcesOfGrowth(growth);
      const channels = shown.filter(({ sourceId }) => sourceIds.includes(sourceId));
      return { of: id, channels, sourceIds, view: { fromMs: startedMs, toMs: endedMs ?? steadyEnd(startedMs, nowMs) } };
    }),
  );
  const read = plots.map(({ reading }) => reading.data);
  const placed = placeGrowths(growths, read, state.alignment);
  const span = state.span ?? wholeSpan(placed, nowMs);
  const axis = state.alignment.at === 'clock' ? CLOCK : ELAPSED;
  const titles = (isMeant: (at: number) => boolean) => placed.filter((_, at) => isMeant(at)).map(({ title }) => title);
  const unaligned = titles((at) => placed[at]?.isUnaligned === true);
  const partly = titles((at) => (plots[at]?.older.data?.length ?? 0) > 0);
  const isPending = [...asked, ...plots.map(({ reading }) => reading)].some((query) => query.isPending);
  const wanted = JSON.stringify(state.alignment);
  return (
    <>
      <div className={classes.controls}>
        <Select
          label={words.align}
          data={alignmentsOf(growths).map((one) => ({ value: JSON.stringify(one), label: alignmentText(one) }))}
          allowDeselect={false}
          value={wanted}
          onChange={(text) => text && onChange({ ...state, alignment: JSON.parse(text) as Alignment, span: null })}
        />
        <Button variant="default" disabled={state.span === null} onClick={() => onChange({ ...state, span: null })}>
          {words.whole}
        </Button>
        <ScaleSwitch scale={state.scale} onScale={(scale) => onChange({ ...state, scale })} />
      </div>
      <QueryFault fault={faultOf(...asked, ...plots.flatMap(({ reading, older }) => [reading, older]), limits)} />
      {isPending && <Quiet>{words.loading}</Quiet>}
      {asked.some(({ data }) => data === null) && (
        <Notice tone="attention" message={words.gone} hint={words.goneHelp} />
      )}
      {unaligned.length > 0 && <Notice tone="attention" message={words.notAligned(unaligned.join(', '))} hint="" />}
      {partly.length > 0 && <Notice tone="busy" message={words.partly(partly.join(', '))} hint="" />}
      {read.some((one) => one !== undefined) && (
        <UnitPlots
          lines={linesOf(placed, limits.data)}
          axis={axis}
          scale={state.scale}
          {...span}
          ranges={state.ranges}
          ownAxes={state.ownAxes}
          onRanges={(ranges) => onChange({ ...state, ranges })}
          onOwnAxes={(ownAxes) => onChange({ ...state, ownAxes })}
          onSpan={(wanted) => onChange({ ...state, span: wanted })}
        />
      )}
    </>
  );
}

const ELAPSED: PlotAxis = { kind: 'elapsed' };
const CLOCK: PlotAxis = { kind: 'time' };

function alignmentText(alignment: Alignment): string {
  return alignment.at === 'note' ? words.note(alignment.text) : words.alignment[alignment.at];
}
