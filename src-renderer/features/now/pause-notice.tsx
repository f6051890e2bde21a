import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { agent } from '../../bridge.ts';
import { formatMoment } from '../../format/time.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import { Notice } from '../../ui/notice.tsx';

/** Since when a person has kept everything back from the service, and the way to let it go on. */
export function PauseNotice({ sinceMs, nowMs }: { sinceMs: number; nowMs: number }) {
  const goOn = useMutation({ mutationFn: () => ask(agent.service.goOn(null)) });
  return (
    <>
      <Notice
        tone="busy"
        message={`Sending is paused since ${formatMoment(sinceMs, nowMs)}.`}
        hint="Recording goes on; what is captured waits here."
      />
      <Button variant="default" loading={goOn.isPending} onClick={() => goOn.mutate()}>
        Go on sending
      </Button>
      {goOn.error && <Notice tone="attention" isUrgent {...wordsOf(goOn.error)} />}
    </>
  );
}
