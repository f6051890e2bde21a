import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type Receipt, type Resent, sendAgain, useRefused } from '../../state/stream.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import { CorrectForm } from './correct-form.tsx';
import { RefusedChunk } from './refused-chunk.tsx';
import classes from './streams.module.css';

/** Chunks shown at first; a button brings as many more. */
const SHOWN = 20;

/** What the service refused of a stream, in its words, with the rows; and the two ways on: as it is, or corrected. */
export function RefusedPanel({ receipt }: { receipt: Receipt }) {
  const { stream, counts } = receipt;
  const client = useQueryClient();
  const left = counts.pointsRefused - counts.pointsResent;
  const refused = useRefused(stream.id, left);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(SHOWN);
  const [isCorrecting, setIsCorrecting] = useState(false);
  const [resent, setResent] = useState<Resent | null>(null);
  const parts = refused.data ?? [];
  const kept = parts.filter(({ resentIn }) => resentIn === null);
  const chunkIds = kept.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const done = (outcome: Resent) => {
    setResent(outcome);
    setChosen(new Set());
    setIsCorrecting(false);
    void client.invalidateQueries({ queryKey: ['stream.refused', stream.id] });
    void client.invalidateQueries({ queryKey: ['stream.receipt', stream.id] });
  };
  const again = useMutation({
    mutationFn: () => sendAgain(stream.id, chunkIds.length > 0 ? chunkIds : null),
    onSuccess: done,
  });
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const which = chunkIds.length > 0 ? formatCounted(chunkIds.length, 'chosen chunk') : 'all of them';
  return (
    <Panel title="Refused by the service" aside={<span>{formatCounted(left, 'point')} kept here</span>}>
      <div className={layout.closeStack} data-testid="refused">
        <QueryFault fault={faultOf(refused)} />
        {refused.isPending && <Quiet>Reading what was refused.</Quiet>}
        <ul className={classes.chunks} aria-label="Refused chunks">
          {parts.slice(0, shown).map((part) => (
            <RefusedChunk
              key={part.id}
              streamId={stream.id}
              part={part}
              unit={receipt.channels.find(({ name }) => name === part.channel)?.unit ?? ''}
              isChosen={chosen.has(part.id)}
              onToggle={() => toggle(part.id)}
            />
          ))}
        </ul>
        {parts.length > shown && (
          <div>
            <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
              Show more of {formatCounted(parts.length, 'chunk')}
            </Button>
          </div>
        )}
        {kept.length > 0 && (
          <>
            <Quiet>
              When the service is repaired, send them as they are. When a name, a unit or the size of a chunk was wrong,
              correct it: the points then go out in a stream of their own, and these stay here as a record.
            </Quiet>
            <div className={classes.buttons}>
              <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
                Send again: {which}
              </Button>
              <Button
                variant="default"
                aria-expanded={isCorrecting}
                onClick={() => setIsCorrecting((isOpen) => !isOpen)}
              >
                Correct and send
              </Button>
            </div>
          </>
        )}
        {again.error && <Notice tone="attention" isUrgent {...wordsOf(again.error)} />}
        {isCorrecting && kept.length > 0 && (
          <CorrectForm receipt={receipt} kept={kept} chunkIds={chunkIds} onDone={done} />
        )}
        {resent && <Outcome resent={resent} />}
      </div>
    </Panel>
  );
}

function Outcome({ resent: { chunks, points, stream, damaged } }: { resent: Resent }) {
  return (
    <>
      <Notice
        tone={chunks > 0 ? 'ok' : 'stopped'}
        isUrgent
        message={
          chunks > 0
            ? `${formatCounted(points, 'point')} go out again${stream ? ` in the stream "${stream.name}"` : ''}.`
            : 'Nothing was left to send again.'
        }
        hint={damaged > 0 ? `${formatCounted(damaged, 'chunk')} were altered by the disk and stay here.` : ''}
      />
      {stream && <TallLink href={`/streams/${stream.id}`}>Look at the corrected stream</TallLink>}
    </>
  );
}
