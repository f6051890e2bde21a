import { formatCount } from '../../format/number.ts';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './streams.module.css';

/** Rows shown; all of them stand in the saved receipt. */
const SHOWN_MAX = 100;

interface ReceiptTableProps {
  title: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A part of a receipt that opens; nothing where there are no rows. */
export function ReceiptTable({ title, head, rows }: ReceiptTableProps) {
  if (rows.length === 0) return null;
  const isNumber = (column: number) => typeof rows[0]?.[column] === 'number';
  return (
    <details className={classes.details}>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard. */}
      <section className={classes.sideways} tabIndex={0} aria-label={title}>
        <table className={classes.plain}>
          <thead>
            <tr>
              {head.map((name, column) => (
                <th key={name} scope="col" data-number={isNumber(column)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN_MAX).map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={head[column]} data-number={isNumber(column)}>
                    {typeof cell === 'number' ? formatCount(cell) : <bdi>{cell}</bdi>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > SHOWN_MAX && <Quiet>The others stand in the saved receipt.</Quiet>}
    </details>
  );
}
