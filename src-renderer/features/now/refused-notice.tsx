import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { agent } from '../../bridge.ts';
import { formatCounted } from '../../format/number.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import { Notice } from '../../ui/notice.tsx';
import classes from './now.module.css';

/** Different words of the service that are shown. */
const WORDS_MAX = 3;

interface RefusedNoticeProps {
  streamId: number;
  /** Points that the service refused and no other stream took. */
  points: number;
}

/** What the service refused of a stream, in its words, and a button for when it was mended. */
export function RefusedNotice({ streamId, points }: RefusedNoticeProps) {
  const refused = useQuery({
    queryKey: ['refused', streamId, points],
    queryFn: () => ask(agent.stream.refused({ streamId })),
  });
  const again = useMutation({ mutationFn: () => sendAll(streamId) });
  const kept = refused.data?.filter(({ resentIn }) => resentIn === null) ?? [];
  const words = [...new Set(kept.map((part) => `${part.channel}: ${part.words}`))];
  const more = words.length > WORDS_MAX ? ` · and ${formatCounted(words.length - WORDS_MAX, 'other reason')}` : '';
  return (
    <div className={classes.stack} data-testid="refused">
      <Notice
        tone="attention"
        message={`${formatCounted(points, 'point')} refused by the service, kept here.`}
        hint={words.slice(0, WORDS_MAX).join(' · ') + more}
      />
      <div>
        <Button size="compact-sm" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Send again
        </Button>
      </div>
      {again.error && <Notice tone="attention" isUrgent {...wordsOf(again.error)} />}
    </div>
  );
}

/** One call takes only so many chunks. */
async function sendAll(streamId: number): Promise<void> {
  for (let isOver = false; !isOver; ) {
    const { chunks, left } = await ask(agent.stream.sendAgain({ streamId, chunkIds: null, channel: null }));
    isOver = left === 0 || chunks === 0;
  }
}
