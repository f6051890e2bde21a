import { Button } from '@mantine/core';
import { formatCounted } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { wordsOf } from '../../state/ask.ts';
import type { OlderReading } from '../../state/older-lines.ts';
import type { OlderEntry } from '../../state/plot.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { ProgressLabel } from '../../ui/progress-label.tsx';

interface OlderNoticeProps {
  entries: readonly OlderEntry[];
  reading: OlderReading;
  isWanted: boolean;
  onWant: (isWanted: boolean) => void;
}

/** Says that a part of the span is kept at the service only, and reads it back when somebody wants it. */
export function OlderNotice({ entries, reading, isWanted, onWant }: OlderNoticeProps) {
  const latestMs = Math.max(...entries.map(({ toMs }) => toMs));
  const { done, isReading, failed } = reading;
  const isRead = isWanted && !isReading && failed === null;
  return (
    <div className={layout.closeStack} data-testid="older">
      <Notice
        tone={isRead ? 'ok' : 'busy'}
        message={
          isRead
            ? `Points of ${formatCounted(entries.length, 'stream')} were read back from the service.`
            : `Points up to ${formatExact(latestMs)} are kept at the service only (${formatCounted(entries.length, 'stream')}).`
        }
        hint={isReading ? '' : 'They were delivered, and are not kept on this PC any more.'}
      />
      {isReading && (
        <ProgressLabel value={done} max={entries.length}>
          {done} of {formatCounted(entries.length, 'stream')} read
        </ProgressLabel>
      )}
      <div>
        <Button variant="default" onClick={() => onWant(!isWanted)}>
          {isWanted ? (isReading ? 'Stop reading' : 'Leave them out') : 'Read them from the service'}
        </Button>
      </div>
      {failed !== null && <Notice tone="attention" isUrgent {...wordsOf(failed)} />}
    </div>
  );
}
