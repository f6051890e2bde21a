import { useMemo, useState } from 'react';
import { formatCounted, formatValue } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { useXps, type Xps } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import type { PlotSpan } from '../../ui/plot/plotted-line.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';
import { Composition } from './composition.tsx';

/** As the field draws it: binding energy falls to the right. */
const AXIS = { kind: 'number', label: 'binding energy (eV)', isReversed: true } as const;

/** The XPS result of an entry: the spectrum with its peaks, and what was concluded from it. */
export function XpsPanel({ dataId }: { dataId: string }) {
  const xps = useXps(dataId);
  return xps.data ? (
    <>
      <QueryFault fault={faultOf(xps)} />
      <Result xps={xps.data} />
    </>
  ) : (
    <Panel title="XPS">
      <Answered isPending={xps.isPending} fault={faultOf(xps)} loading="Asking for the spectrum.">
        {null}
      </Answered>
    </Panel>
  );
}

function Result({ xps }: { xps: Xps }) {
  const elements = (names: readonly string[]) => <bdi>{names.length === 0 ? 'none' : names.join(', ')}</bdi>;
  return (
    <>
      <Panel title="XPS spectrum" aside={<span>{formatCounted(xps.points, 'point')}</span>}>
        <div className={layout.stack} data-testid="spectrum">
          {xps.xs.length === 0 ? <Quiet>The service holds no spectrum of this entry.</Quiet> : <Spectrum xps={xps} />}
          <Peaks xps={xps} />
        </div>
      </Panel>
      <Panel title="Composition">
        <div className={layout.stack}>
          {xps.composition.length === 0 ? (
            <Quiet>The service has found no composition.</Quiet>
          ) : (
            <Composition parts={xps.composition} />
          )}
          <Facts
            facts={[
              { label: 'Formula found', value: <bdi>{xps.formula || 'none'}</bdi> },
              { label: 'Elements found', value: elements(xps.foundElements) },
              { label: 'Elements asked for', value: elements(xps.setElements) },
              { label: 'Last changed', value: xps.updatedMs === null ? 'not said' : formatExact(xps.updatedMs) },
            ]}
          />
        </div>
      </Panel>
    </>
  );
}

function Spectrum({ xps }: { xps: Xps }) {
  const [wanted, setWanted] = useState<PlotSpan | null>(null);
  const lines = useMemo(
    () => [{ key: 'intensity', name: 'intensity', title: '', unit: '', xs: xps.xs, values: xps.ys, colour: 0 }],
    [xps],
  );
  const marks = useMemo(
    () => xps.peaks.map(({ label, energyEv }) => ({ at: energyEv, text: label, isWritten: true })),
    [xps],
  );
  const span = wanted ?? { from: xps.xs[0] ?? 0, to: xps.xs.at(-1) ?? 1 };
  return (
    <>
      <PlotPanel
        unit="counts"
        lines={lines}
        marks={marks}
        axis={AXIS}
        heightPx={320}
        from={span.from}
        to={span.to}
        onSpan={setWanted}
      />
      {wanted && (
        <button type="button" className={classes.textButton} onClick={() => setWanted(null)}>
          Whole spectrum
        </button>
      )}
    </>
  );
}

/** The peaks as text, for people who cannot see them on the plot. */
function Peaks({ xps: { peaks, unplacedPeaks } }: { xps: Xps }) {
  if (peaks.length === 0 && unplacedPeaks === 0) return <Quiet>No peak was found.</Quiet>;
  return (
    <>
      <ul className={classes.peaks} aria-label="Peaks">
        {peaks.map(({ label, energyEv }) => (
          <li key={`${label} ${energyEv}`}>
            <bdi>{label || 'no label'}</bdi> <strong>{formatValue(energyEv, 'eV')} eV</strong>
          </li>
        ))}
      </ul>
      {unplacedPeaks > 0 && <Quiet>{formatCounted(unplacedPeaks, 'further peak')} came without a position.</Quiet>}
    </>
  );
}
