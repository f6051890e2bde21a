import { Button, TextInput } from '@mantine/core';
import { formatClock, formatExact, formatMoment } from '../../format/time.ts';
import { wordsOf } from '../../state/ask.ts';
import { useDraft } from '../../state/draft.ts';
import { useNote } from '../../state/growth.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { NOTE_ID } from '../../ui/shortcut-keys.ts';
import classes from './growth.module.css';

interface NotesPanelProps {
  /** Notes so far, oldest first. */
  notes: readonly { readonly timeMs: number; readonly text: string }[];
  nowMs: number;
}

/** A remark at this moment: one field, one key. It is a mark on every plot, with a growth or without. */
export function NotesPanel({ notes, nowMs }: NotesPanelProps) {
  const [{ text }, change] = useDraft('note', () => ({ text: '' }));
  const note = useNote();
  const submit = () => {
    const wanted = text.trim();
    if (wanted !== '') note.mutate(wanted, { onSuccess: () => change({ text: '' }) });
  };
  return (
    <Panel title="Notes">
      <form
        className={classes.note}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextInput
          size="lg"
          id={NOTE_ID}
          label="Add a note"
          description="Kept with its time, and shown as a mark on the plots"
          maxLength={2000}
          autoComplete="off"
          value={text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <Button type="submit" size="lg" loading={note.isPending} disabled={text.trim() === ''}>
          Add note
        </Button>
      </form>
      <div aria-live="polite">
        {note.error && <Notice tone="attention" {...wordsOf(note.error)} />}
        {note.data && !note.error && <p className={classes.fieldNote}>Kept at {formatClock(note.data.timeMs)}.</p>}
      </div>
      <NoteList notes={notes} nowMs={nowMs} />
    </Panel>
  );
}

/** Notes, newest first. */
export function NoteList({ notes, nowMs }: NotesPanelProps) {
  if (notes.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
    <ol className={classes.notes} tabIndex={0} aria-label="Notes, newest first">
      {notes.toReversed().map(({ timeMs, text }, at) => (
        <li key={notes.length - at}>
          <time dateTime={new Date(timeMs).toISOString()} title={formatExact(timeMs)}>
            {formatMoment(timeMs, nowMs)}
          </time>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ol>
  );
}
