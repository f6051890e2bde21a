import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatPlain, formatValue, parseDecimal } from '../../format/number.ts';
import classes from './plot.module.css';
import type { PlottedLine } from './plotted-line.ts';
import { words } from './words.ts';

interface RangeControlsProps {
  unit: string;
  lines: readonly PlottedLine[];
  yRange: readonly [number, number] | null;
  nameOf: (line: PlottedLine, lines: readonly PlottedLine[]) => string;
  onYRange: (range: readonly [number, number] | null) => void;
}

/** The vertical range by hand, and what the points of each line are together. */
export function RangeControls({ unit, lines, yRange, nameOf, onYRange }: RangeControlsProps) {
  const [low, setLow] = useState(yRange ? formatPlain(yRange[0]) : '');
  const [high, setHigh] = useState(yRange ? formatPlain(yRange[1]) : '');
  const [isChecked, setChecked] = useState(false);
  const [from, to] = [parseDecimal(low), parseDecimal(high)];
  const isRight = from !== null && to !== null && from < to;
  const apply = () => {
    setChecked(true);
    if (isRight) onYRange([from, to]);
  };
  const clear = () => {
    setLow('');
    setHigh('');
    setChecked(false);
    onYRange(null);
  };
  return (
    <div className={classes.more}>
      <form
        className={classes.range}
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <TextInput
          label={words.low(unit)}
          inputMode="decimal"
          maxLength={30}
          value={low}
          onChange={(event) => setLow(event.currentTarget.value)}
        />
        <TextInput
          label={words.high(unit)}
          inputMode="decimal"
          maxLength={30}
          value={high}
          error={isChecked && !isRight ? words.wrong : undefined}
          onChange={(event) => setHigh(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {words.apply}
        </Button>
        <Button variant="default" disabled={yRange === null} onClick={clear}>
          {words.automatic}
        </Button>
      </form>
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
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <th scope="row">
                  <bdi>{nameOf(line, lines)}</bdi>
                </th>
                <StatisticsCells line={line} />
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
