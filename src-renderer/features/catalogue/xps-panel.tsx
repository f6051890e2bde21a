import { useMemo } from 'react';
import { formatCounted, formatValue } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { useXps, type Xps } from '../../state/catalogue.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';
import { Composition } from './composition.tsx';
import { Curves, type Drawn, nameCurves } from './curves.tsx';
import { EntryAnswers } from './entry-answers.tsx';

/** As the field draws it: binding energy falls to the right. */
const AXIS = { kind: 'number', label: 'binding energy (eV)', isReversed: true } as const;

/** The XPS result of an entry: the spectrum with its peaks, over that of another entry if wanted, and the composition. */
export function XpsPanel({ entries }: { entries: readonly Drawn[] }) {
  const asked = useXps(entries.map(({ dataId }) => dataId));
  const [own, other] = asked.map(({ data }) => data);
  return (
    <>
      <Panel title="XPS spectrum" aside={own && <span>{formatCounted(own.points, 'point')}</span>}>
        <div className={layout.stack} data-testid="spectrum">
          <EntryAnswers entries={entries} asked={asked} what="spectrum" isEmpty={({ xs }) => xs.length === 0}>
            {own && <Spectrum xps={own} other={other} entries={entries} />}
          </EntryAnswers>
          {own && <Peaks xps={own} />}
        </div>
      </Panel>
      {own && <Result xps={own} />}
    </>
  );
}

/** What the service found in the spectrum. */
function Result({ xps }: { xps: Xps }) {
  const elements = (names: readonly string[]) => <bdi>{names.length === 0 ? 'none' : names.join(', ')}</bdi>;
  return (
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
  );
}

interface SpectrumProps {
  xps: Xps;
  other: Xps | undefined;
  entries: readonly Drawn[];
}

function Spectrum({ xps, other, entries }: SpectrumProps) {
  const lines = useMemo(() => {
    const curve = ({ xs, ys }: Xps, entry: number) => {
      return { entry, name: 'intensity', title: '', unit: 'counts', xs, values: ys };
    };
    return nameCurves(other ? [curve(xps, 0), curve(other, 1)] : [curve(xps, 0)], entries);
  }, [xps, other, entries]);
  const marks = useMemo(
    () => xps.peaks.map(({ label, energyEv }) => ({ at: energyEv, text: label, isWritten: true })),
    [xps],
  );
  return <Curves lines={lines} marks={marks} axis={AXIS} heightPx={320} whole="Whole spectrum" />;
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
