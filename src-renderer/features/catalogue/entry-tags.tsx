import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import { type EntryDetail, useUntag } from '../../state/catalogue.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

/** The tags of an entry, each with a button that takes it off, asked once: no call puts it back. */
export function EntryTags({ entry: { dataId, tags } }: { entry: EntryDetail }) {
  const untag = useUntag();
  const [asked, setAsked] = useState<string | null>(null);
  const refused = untag.data?.failed[0];
  const take = (id: string) => {
    setAsked(null);
    untag.mutate({
      dataIds: [dataId],
      tagIds: [id],
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  };
  if (tags.length === 0) return <Quiet>No tag.</Quiet>;
  return (
    <section aria-label="Tags" className={layout.stack}>
      <ul className={classes.tags}>
        {tags.map(({ id, name }) => (
          <li key={id ?? `name ${name}`}>
            {id === null ? (
              <bdi className={classes.tag}>{name}</bdi>
            ) : asked === id ? (
              <fieldset className={classes.question}>
                <legend>
                  Take off <bdi>{name}</bdi>? It cannot be put back from here.
                </legend>
                <Button onClick={() => take(id)}>Take it off</Button>
                <Button variant="default" onClick={() => setAsked(null)}>
                  Keep it
                </Button>
              </fieldset>
            ) : (
              <Button
                variant="default"
                rightSection={<IconX size="1.125rem" aria-hidden="true" />}
                aria-label={`Take off the tag ${name}`}
                loading={untag.isPending && untag.variables?.tagIds[0] === id}
                onClick={() => setAsked(id)}
              >
                <bdi>{name}</bdi>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {tags.some(({ id }) => id === null) && (
        <Quiet>A tag without a button came without an id; it cannot be taken off here.</Quiet>
      )}
      {untag.error && <Notice tone="attention" isUrgent {...wordsOf(untag.error)} />}
      {refused && <Notice tone="attention" isUrgent message={refused.message} hint={refused.hint} />}
    </section>
  );
}
