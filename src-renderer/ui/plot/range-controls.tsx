import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatPlain, formatValue, parseDecimal } from '../../format/number.ts';
import classes from './plot.module.css';
import type { PanelAxis } from './plot-panel.tsx';
import type { PlottedLine, ValueRanges } from './plotted-line.ts';
import { words } from './words.ts';

/** No unit is written like this. */
const SHARED = '\n';

interface RangeControlsProps {
  axes: readonly PanelAxis[];
  lines: readonly PlottedLine[];
  /** Keys of the lines with an axis of their own. */
  own: ReadonlySet<string>;
  ranges: ValueRanges;
  nameOf: (line: PlottedLine, lines: readonly PlottedLine[]) => string;
  onRanges: (ranges: ValueRanges) => void;
  /** The unit of this plot, and the units of the plots in which a line may have an axis of its own. */
  plotUnit: string;
  plotsFor?: ((line: PlottedLine) => readonly string[]) | undefined;
  /** Told the unit of the plot in which a line has an axis of its own (null: none); absent: no line can have one. */
  onOwnAxis?: ((line: PlottedLine, unit: string | null) => void) | undefined;
}

const noPlots = () => [];

/** The vertical ranges by hand, the axis of each line, and the statistics of its points. */
export function RangeControls(props: RangeControlsProps) {
  const { axes, lines, own, ranges, nameOf, onRanges, plotUnit, plotsFor = noPlots, onOwnAxis } = props;
  return (
    <div className={classes.more}>
      {axes.map(({ key, label, colour }) => (
        <RangeForm
          key={key}
          name={label && (colour === null ? ` (${label})` : ` of ${label}`)}
          range={ranges[key] ?? null}
          onRange={(range) => {
            const { [key]: _, ...others } = ranges;
            onRanges(range === null ? others : { ...others, [key]: range });
          }}
        />
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard. */}
      <section className={classes.statistics} tabIndex={0} aria-label={words.statistics}>
        <table>
          <caption>{words.statistics}</caption>
          <thead>
            <tr>
              {words.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              {onOwnAxis && <th scope="col">{words.axis}</th>}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <th scope="row">
                  <bdi>{nameOf(line, lines)}</bdi>
                </th>
                <StatisticsCells line={line} />
                {onOwnAxis && (
                  <td>
                    <Select
                      aria-label={words.axisOf(nameOf(line, lines))}
                      allowDeselect={false}
                      data={[
                        { value: SHARED, label: words.shared(line.unit) },
                        ...plotsFor(line).map((unit) => ({ value: unit, label: words.own(unit, unit === plotUnit) })),
                      ]}
                      value={own.has(line.key) ? plotUnit : SHARED}
                      onChange={(unit) => onOwnAxis(line, unit === SHARED ? null : unit)}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function StatisticsCells({ line: { statistics, unit } }: { line: PlottedLine }) {
  if (!statistics) return <td colSpan={5}>{words.none}</td>;
  const { count, min, mean, max, deviation } = statistics;
  return (
    <>
      <td>{formatCount(count)}</td>
      {[min, mean, max, deviation].map((value, at) => (
        // The four stand in their columns.
        <td key={words.columns[at + 2]}>{formatValue(value, unit)}</td>
      ))}
    </>
  );
}

interface RangeFormProps {
  /** Of the axis, as it stands behind "Lowest". */
  name: string;
  range: readonly [number, number] | null;
  onRange: (range: readonly [number, number] | null) => void;
}

function RangeForm({ name, range, onRange }: RangeFormProps) {
  const [low, setLow] = useState(range ? formatPlain(range[0]) : '');
  const [high, setHigh] = useState(range ? formatPlain(range[1]) : '');
  const [isChecked, setChecked] = useState(false);
  const [from, to] = [parseDecimal(low), parseDecimal(high)];
  const isRight = from !== null && to !== null && from < to;
  const clear = () => {
    setLow('');
    setHigh('');
    setChecked(false);
    onRange(null);
  };
  return (
    <form
      className={classes.range}
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (isRight) onRange([from, to]);
      }}
    >
      <TextInput
        label={words.low(name)}
        inputMode="decimal"
        maxLength={30}
        value={low}
        onChange={(event) => setLow(event.currentTarget.value)}
      />
      <TextInput
        label={words.high(name)}
        inputMode="decimal"
        maxLength={30}
        value={high}
        error={isChecked && !isRight ? words.wrong : undefined}
        onChange={(event) => setHigh(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {words.apply}
      </Button>
      <Button variant="default" disabled={range === null} onClick={clear}>
        {words.automatic}
      </Button>
    </form>
  );
}
