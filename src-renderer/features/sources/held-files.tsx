import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import { type HeldFile, type HeldSides, useHeldAnswer, useHeldFiles, useHeldSides } from '../../state/held-source.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './sources.module.css';

/** Files of a source that stopped: both sides beside each other, and what a person may say. */
export function HeldFiles({ sourceId }: { sourceId: string }) {
  const held = useHeldFiles();
  const files = held.data?.filter((file) => file.sourceId === sourceId) ?? [];
  const fault = faultOf(held);
  if (files.length === 0) return <QueryFault fault={fault} />;
  return (
    <Panel title="Files that wait for you">
      <div className={layout.stack}>
        <QueryFault fault={fault} />
        {files.map((file) => (
          <HeldFileView key={file.file} file={file} />
        ))}
      </div>
    </Panel>
  );
}

function HeldFileView({ file }: { file: HeldFile }) {
  const { sourceId, file: path, message, hint, line, isLeftOut } = file;
  const sides = useHeldSides(file);
  const answer = useHeldAnswer();
  const say = (choice: Parameters<typeof answer.mutate>[0]['choice']) =>
    answer.mutate({ sourceId, file: path, choice });
  return (
    <article className={classes.held} aria-label={path}>
      <strong>
        <bdi>{path}</bdi>
        {line !== null && <>, line {line}</>}
      </strong>
      <Notice tone={isLeftOut ? 'stopped' : 'attention'} message={message} hint={hint} />
      {sides.isPending && <Quiet>Looking at both sides.</Quiet>}
      <QueryFault fault={faultOf(sides)} />
      {sides.data && <Sides sides={sides.data} isBusy={answer.isPending} onSay={say} />}
      <div className={classes.actions}>
        <Button
          variant="default"
          loading={answer.isPending}
          onClick={() => say({ answer: isLeftOut ? 'take-in' : 'leave-out' })}
        >
          {isLeftOut ? 'Take this file in again' : 'Leave this file out'}
        </Button>
      </div>
      {answer.error && <Notice tone="attention" isUrgent {...wordsOf(answer.error)} />}
    </article>
  );
}

interface SidesProps {
  sides: HeldSides;
  isBusy: boolean;
  onSay: (choice: { answer: 'accept' } | { answer: 'rename'; names: Record<string, string> }) => void;
}

/** The columns before and after, the next lines, and the two answers that read on. */
function Sides({ sides, isBusy, onSay }: SidesProps) {
  const { formerColumns, newColumns, nextLines, problem, problemHint, byte, isLeftOut, code } = sides;
  const [names, setNames] = useState<Record<string, string>>({});
  const hasColumns = formerColumns.length + newColumns.length > 0;
  const known = new Set(newColumns.map(({ name }) => name));
  const gone = formerColumns.filter(({ channel, name }) => channel !== null && !known.has(name));
  const added = newColumns.filter(({ name }) => !formerColumns.some((former) => former.name === name));
  const isRunOfItsOwn = code === 'log.starts-contradict';
  const mayReadOn = (byte !== null || isRunOfItsOwn) && !isLeftOut && newColumns.length > 0 && problem === '';
  return (
    <div className={layout.stack}>
      {problem !== '' && <Notice tone="attention" message={problem} hint={problemHint} />}
      {hasColumns && (
        <div className={classes.sides}>
          <ColumnList
            title="Columns before"
            columns={formerColumns}
            marked={new Set(gone.map(({ name }) => name))}
            word="gone"
          />
          <ColumnList
            title="Columns from here on"
            columns={newColumns}
            marked={new Set(added.map(({ name }) => name))}
            word="new"
          />
        </div>
      )}
      {nextLines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
        <section className={classes.bytes} tabIndex={0} aria-label="The next lines of the file">
          {nextLines.map((text, at) => (
            // Lines have no name of their own, and the list is replaced whole.
            <bdi key={at}>{text}</bdi>
          ))}
        </section>
      )}
      {mayReadOn && gone.length > 0 && added.length > 0 && (
        <div className={layout.fields}>
          {added.map(({ name, header }) => (
            <Select
              key={name}
              label={`${header || name} is`}
              placeholder="something new"
              data={gone.map((column) => column.name)}
              clearable
              value={names[name] ?? null}
              onChange={(former) => {
                const { [name]: _, ...rest } = names;
                setNames(former === null ? rest : { ...rest, [name]: former });
              }}
            />
          ))}
        </div>
      )}
      {mayReadOn && (
        <div className={classes.actions}>
          <Button loading={isBusy} disabled={Object.keys(names).length > 0} onClick={() => onSay({ answer: 'accept' })}>
            {isRunOfItsOwn ? 'Read it as a run of its own' : 'Read on with the new columns'}
          </Button>
          {gone.length > 0 && added.length > 0 && (
            <Button
              variant="default"
              loading={isBusy}
              disabled={Object.keys(names).length === 0}
              onClick={() => onSay({ answer: 'rename', names })}
            >
              Read on: they were renamed
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface ColumnListProps {
  title: string;
  columns: HeldSides['formerColumns'];
  marked: ReadonlySet<string>;
  word: string;
}

function ColumnList({ title, columns, marked, word }: ColumnListProps) {
  return (
    <div>
      <h3 className={classes.small}>{title}</h3>
      {columns.length === 0 && <Quiet>None are known.</Quiet>}
      <ol className={classes.columnList}>
        {columns.map(({ name, header, unit, channel }) => (
          <li key={name}>
            <bdi>{header || name}</bdi>
            {unit !== '' && (
              <>
                {' '}
                (<bdi>{unit}</bdi>)
              </>
            )}
            {channel === null && <span className={classes.quiet}> · not streamed</span>}
            {marked.has(name) && <strong> · {word}</strong>}
          </li>
        ))}
      </ol>
    </div>
  );
}
