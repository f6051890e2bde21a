import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { agent } from '../../bridge.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';

const HOURS = 12;

/** What the next shift must know, as plain text for a log book or a mail. */
export function ShiftNote() {
  const note = useMutation({ mutationFn: () => ask(agent.journal.writeShiftNote({ hours: HOURS })) });
  return (
    <div className={layout.stack}>
      <Quiet>What was recorded in the last {HOURS} hours, what is missing, and what needs somebody.</Quiet>
      <div>
        <Button variant={note.data ? 'default' : 'filled'} loading={note.isPending} onClick={() => note.mutate()}>
          {note.data ? 'Write it again' : `Create shift note: ${HOURS} h`}
        </Button>
      </div>
      {note.error && <Notice tone="attention" isUrgent {...wordsOf(note.error)} />}
      {note.data && <CopyText label={`Note of the last ${HOURS} h`} text={note.data.text} />}
    </div>
  );
}
