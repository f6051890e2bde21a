// Curves of one entry, or of two laid over each other: then each line bears the name of its entry.
import { useState } from 'react';
import type { PlotAxis, PlotSpan, PlottedLine, PlottedMark, Scale } from '../../ui/plot/plotted-line.ts';
import { UnitPlots } from '../../ui/plot/unit-plots.tsx';
import classes from './catalogue.module.css';

/** An entry of which curves are drawn. */
export interface Drawn {
  readonly dataId: string;
  readonly name: string;
}

interface Curve extends Omit<PlottedLine, 'key' | 'colour'> {
  /** Place of its entry among those drawn. */
  readonly entry: number;
}

/** Give curves of one or two entries their colours, and their names where there are two. */
export function nameCurves(curves: readonly Curve[], entries: readonly Drawn[]): PlottedLine[] {
  return curves.map(({ entry, ...line }, colour) => {
    const name = entries.length > 1 ? `${entries[entry]?.name}: ${line.name}` : line.name;
    return { ...line, key: `${entry} ${colour} ${line.name}`, name, colour };
  });
}

interface CurvesProps {
  lines: readonly PlottedLine[];
  axis?: PlotAxis;
  scale?: Scale;
  marks?: readonly PlottedMark[];
  heightPx?: number;
  /** On the button that shows all again. */
  whole: string;
}

/** A plot for each unit, all over the same axis, which a drag makes shorter. */
export function Curves({ lines, marks, whole, ...rest }: CurvesProps) {
  const [wanted, setWanted] = useState<PlotSpan | null>(null);
  return (
    <>
      <UnitPlots
        lines={lines}
        {...(marks ? { marksOf: () => marks } : {})}
        {...rest}
        {...(wanted ?? wholeSpan(lines))}
        onSpan={setWanted}
      />
      {wanted && (
        <button type="button" className={classes.textButton} onClick={() => setWanted(null)}>
          {whole}
        </button>
      )}
    </>
  );
}

function wholeSpan(lines: readonly PlottedLine[]): PlotSpan {
  const from = Math.min(...lines.map(({ xs }) => xs[0] ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...lines.map(({ xs }) => xs.at(-1) ?? Number.NEGATIVE_INFINITY));
  // Lines of one point, or of none, still need a span to be drawn in.
  if (!(from <= to)) return { from: 0, to: 1000 };
  return from === to ? { from: from - 500, to: to + 500 } : { from, to };
}
