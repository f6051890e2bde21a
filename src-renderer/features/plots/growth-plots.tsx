import { Button, SegmentedControl } from '@mantine/core';
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
import { type Alignment, linesOf, titlesOf, wholeSpan } from './growth-lines.ts';
import type { PlotState } from './plot-view.ts';
import classes from './plots.module.css';
import { ScaleSwitch } from './span-controls.tsx';
import { words } from './words.ts';

const AXES: Readonly<Record<Alignment, PlotAxis>> = { start: { kind: 'elapsed' }, clock: { kind: 'time' } };

interface GrowthPlotsProps {
  state: PlotState;
  shown: readonly PlotChannel[];
  onChange: (state: PlotState) => void;
}

/** Growths laid over each other, a plot for each unit. */
export function GrowthPlots({ state, shown, onChange }: GrowthPlotsProps) {
  const { alignment, span } = state;
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
  const partly = titlesOf(growths).filter((_, at) => (plots[at]?.older.data?.length ?? 0) > 0);
  const isPending = [...asked, ...plots.map(({ reading }) => reading)].some((query) => query.isPending);
  return (
    <>
      <div className={classes.controls}>
        <SegmentedControl
          aria-label={words.align}
          data={[...words.alignments]}
          value={alignment}
          onChange={(at) => onChange({ ...state, alignment: at as Alignment, span: null })}
        />
        <Button variant="default" disabled={span === null} onClick={() => onChange({ ...state, span: null })}>
          {words.whole}
        </Button>
        <ScaleSwitch state={state} onChange={onChange} />
      </div>
      <QueryFault fault={faultOf(...asked, ...plots.flatMap(({ reading, older }) => [reading, older]), limits)} />
      {isPending && <Quiet>{words.loading}</Quiet>}
      {asked.some(({ data }) => data === null) && (
        <Notice tone="attention" message={words.gone} hint={words.goneHelp} />
      )}
      {partly.length > 0 && <Notice tone="busy" message={words.partly(partly.join(', '))} hint="" />}
      {read.some((one) => one !== undefined) && (
        <UnitPlots
          lines={linesOf(growths, read, alignment, limits.data)}
          axis={AXES[alignment]}
          scale={state.scale}
          {...(span ?? wholeSpan(growths, alignment, nowMs))}
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
