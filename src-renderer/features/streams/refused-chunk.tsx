import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { formatCounted, formatPlain } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type RefusedPart, useRefusedRows } from '../../state/stream.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import classes from './streams.module.css';

interface RefusedChunkProps {
  streamId: number;
  part: RefusedPart;
  unit: string;
  isChosen: boolean;
  onToggle: () => void;
}

/** One refused chunk: what the service said of it, and its rows on demand. */
export function RefusedChunk({ streamId, part, unit, isChosen, onToggle }: RefusedChunkProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, channel, index, firstMs, lastMs, rows, words, resentIn } = part;
  const title = `${channel}, chunk ${index}`;
  return (
    <li className={classes.chunk}>
      <div className={classes.chunkHead}>
        {resentIn === null ? (
          <Checkbox label={<bdi>{title}</bdi>} checked={isChosen} onChange={onToggle} />
        ) : (
          <span>
            <bdi>{title}</bdi>, <TallLink href={`/streams/${resentIn}`}>sent again in stream {resentIn}</TallLink>
          </span>
        )}
        <Button
          variant="default"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} rows of ${title}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide rows' : 'Show rows'}
        </Button>
      </div>
      <Quiet>
        {formatCounted(rows, 'point')}, {formatExact(firstMs)} to {formatExact(lastMs)}
      </Quiet>
      <p className={classes.words}>
        The service says: <bdi>{words || 'nothing'}</bdi>
      </p>
      {isOpen && <Rows streamId={streamId} chunkId={id} unit={unit} title={title} />}
    </li>
  );
}

interface RowsProps {
  streamId: number;
  chunkId: number;
  unit: string;
  title: string;
}

function Rows({ streamId, chunkId, unit, title }: RowsProps) {
  const rows = useRefusedRows(streamId, chunkId, true);
  const fault = faultOf(rows);
  if (fault && rows.data === undefined) return <QueryFault fault={fault} />;
  if (rows.data === undefined) return <Quiet>Reading the rows.</Quiet>;
  if (rows.data === null) {
    return (
      <Quiet>These rows cannot be told apart from others of the same time. The export of the stream has them.</Quiet>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard.
    <section className={classes.rows} tabIndex={0} aria-label={`Rows of ${title}`}>
      <QueryFault fault={fault} />
      <table className={classes.plain}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" data-number="true">
              Value{unit === '' ? '' : ` (${unit})`}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.data.map(({ timeMs, value }) => (
            <tr key={`${timeMs} ${value}`}>
              <td>{formatExact(timeMs)}</td>
              <td data-number="true">{formatPlain(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
