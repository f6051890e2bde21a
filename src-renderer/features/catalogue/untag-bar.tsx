import { Button, Checkbox, Progress } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { type Entry, type UntagReport, useUntag } from '../../state/catalogue.ts';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

interface UntagBarProps {
  entries: readonly Entry[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** What is chosen, and taking tags off it: which tags, the progress, a way to stop, and what was refused. */
export function UntagBar({ entries, chosen, onChoose }: UntagBarProps) {
  const [tagIds, setTagIds] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState(0);
  const stop = useRef(new AbortController());
  const untag = useUntag();
  const picked = useMemo(() => entries.filter(({ dataId }) => chosen.has(dataId)), [entries, chosen]);
  const { tags, withoutId } = useMemo(() => tagsOf(picked), [picked]);
  const wanted = tags.filter(({ id }) => tagIds.has(id)).map(({ id }) => id);
  const toggle = (id: string) => {
    const next = new Set(tagIds);
    if (!next.delete(id)) next.add(id);
    setTagIds(next);
  };
  const start = () => {
    stop.current = new AbortController();
    setDone(0);
    // Only entries that carry one of the tags need asking.
    const dataIds = picked
      .filter((entry) => entry.tags.some(({ id }) => id !== null && wanted.includes(id)))
      .map(({ dataId }) => dataId);
    untag.mutate(
      { dataIds, tagIds: wanted, onProgress: setDone, signal: stop.current.signal },
      { onSuccess: ({ failed }) => onChoose(new Set(failed.map(({ dataId }) => dataId))) },
    );
  };
  const names = new Map(entries.map(({ dataId, name }) => [dataId, name]));
  if (picked.length === 0 && untag.isIdle) return null;
  return (
    <section className={classes.chosen} aria-label="Chosen entries">
      {picked.length > 0 && (
        <>
          <div className={classes.chosenHead}>
            <strong>{formatCounted(picked.length, 'entry', 'entries')} chosen</strong>
            <Button variant="default" onClick={() => onChoose(new Set())}>
              Clear selection
            </Button>
          </div>
          {tags.length === 0 && withoutId.length === 0 && <Quiet>They carry no tag.</Quiet>}
          {tags.length > 0 && (
            <fieldset className={classes.tagChoice}>
              <legend>Tags to take off</legend>
              {tags.map(({ id, name, count }) => (
                <Checkbox
                  key={id}
                  label={
                    <>
                      <bdi>{name}</bdi> ({count})
                    </>
                  }
                  checked={tagIds.has(id)}
                  onChange={() => toggle(id)}
                />
              ))}
            </fieldset>
          )}
          {withoutId.length > 0 && (
            <Quiet>
              The service tells no id of <bdi>{withoutId.join(', ')}</bdi>: without one a tag cannot be taken off here.
            </Quiet>
          )}
          {tags.length > 0 && (
            <div className={classes.chosenHead}>
              <Button disabled={wanted.length === 0} loading={untag.isPending} onClick={start}>
                Take off
              </Button>
            </div>
          )}
        </>
      )}
      {untag.isPending && untag.variables && (
        <div className={classes.progress}>
          <Progress.Root size="lg">
            <Progress.Section
              value={(100 * done) / Math.max(1, untag.variables.dataIds.length)}
              aria-label="Entries that are done"
            />
          </Progress.Root>
          <span role="status">
            {done} of {formatCounted(untag.variables.dataIds.length, 'entry', 'entries')}
          </span>
          <Button variant="default" onClick={() => stop.current.abort()}>
            Stop here
          </Button>
        </div>
      )}
      {untag.error && <Notice tone="attention" isUrgent {...wordsOf(untag.error)} />}
      {untag.data && <Report report={untag.data} total={untag.variables.dataIds.length} names={names} />}
    </section>
  );
}

interface ReportProps {
  report: UntagReport;
  total: number;
  names: ReadonlyMap<string, string>;
}

/** What became of it: how many are done, and each that the service refused, with its words. */
function Report({ report: { asked, failed }, total, names }: ReportProps) {
  const done = asked - failed.length;
  const left = asked < total ? ` ${total - asked} were not asked for: it was stopped.` : '';
  return (
    <>
      <Notice
        tone={failed.length > 0 ? 'attention' : 'ok'}
        isUrgent
        message={`Taken off ${formatCounted(done, 'entry', 'entries')}.${left}`}
        hint={failed.length > 0 ? 'The service refused those below; they are still chosen.' : ''}
      />
      {failed.length > 0 && (
        <ul className={classes.failed}>
          {failed.map(({ dataId, message, hint }) => (
            <li key={dataId}>
              <bdi>{names.get(dataId) || dataId}</bdi>: <bdi>{message}</bdi> <bdi className={classes.under}>{hint}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function tagsOf(entries: readonly Entry[]) {
  const byId = new Map<string, { id: string; name: string; count: number }>();
  const withoutId = new Set<string>();
  for (const { id, name } of entries.flatMap(({ tags }) => tags)) {
    if (id === null) withoutId.add(name);
    else byId.set(id, { id, name, count: (byId.get(id)?.count ?? 0) + 1 });
  }
  return { tags: [...byId.values()], withoutId: [...withoutId] };
}
