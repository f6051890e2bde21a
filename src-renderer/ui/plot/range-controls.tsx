import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatPlain, formatValue, parseDecimal } from '../../format/number.ts';
import type { ValueAxis } from './open-plot.ts';
import classes from './plot.module.css';
import type { PlottedLine, ValueRanges } from './plotted-line.ts';
import { words } from './words.ts';

interface RangeControlsProps {
  axes: readonly (ValueAxis & { readonly key: string })[];
  lines: readonly PlottedLine[];
  /** Keys of the lines with an axis of their own. */
  own: ReadonlySet<string>;
  ranges: ValueRanges;
  nameOf: (line: PlottedLine, lines: readonly PlottedLine[]) => string;
  onRanges: (ranges: ValueRanges) => void;
  /** Told the key of a line and whether it has an axis of its own; absent: none can have one. */
  onOwnAxis?: ((key: string, isOwn: boolean) => void) | undefined;
}

/** The vertical ranges by hand, the axis of each line, and the statistics of its points. */
export function RangeControls(props: RangeControlsProps) {
  const { axes, lines, own, ranges, nameOf, onRanges, onOwnAxis } = props;
  return (
    <div className={classes.more}>
      {axes.map(({ key, label, colour }) => (
        <RangeFields
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
              {onOwnAxis && <th scope="col">{words.ownAxis}</th>}
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
                    <Checkbox
                      aria-label={words.ownAxisOf(nameOf(line, lines))}
                      checked={own.has(line.key)}
                      onChange={(event) => onOwnAxis(line.key, event.currentTarget.checked)}
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

interface RangeFieldsProps {
  /** Of the axis, as it stands behind "Lowest". */
  name: string;
  range: readonly [number, number] | null;
  onRange: (range: readonly [number, number] | null) => void;
}

/** Two numbers that are taken at once when they are right; an empty field: as the values need. */
function RangeFields({ name, range, onRange }: RangeFieldsProps) {
  const [typed, setTyped] = useState(range ? range.map(formatPlain) : ['', '']);
  const isWrong = typed.every((text) => text.trim() !== '') && toRange(typed) === null;
  const type = (at: number, text: string) => {
    const next = typed.with(at, text);
    setTyped(next);
    onRange(toRange(next));
  };
  return (
    <div className={classes.range}>
      {[words.low(name), words.high(name)].map((label, at) => (
        <TextInput
          key={label}
          label={label}
          placeholder={words.automatic}
          inputMode="decimal"
          maxLength={30}
          value={typed[at] ?? ''}
          error={at === 1 && isWrong ? words.wrong : undefined}
          onChange={(event) => type(at, event.currentTarget.value)}
        />
      ))}
    </div>
  );
}

function toRange(typed: readonly string[]): readonly [number, number] | null {
  const [from = null, to = null] = typed.map(parseDecimal);
  return from !== null && to !== null && from < to ? [from, to] : null;
}
