import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import { type Receipt, type RefusedPart, type Resent, sendAsNew } from '../../state/stream.ts';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './streams.module.css';

/** Most points that a chunk may hold; the contract's own bound. */
const POINTS_PER_CHUNK_MAX = 1000;

interface CorrectFormProps {
  receipt: Receipt;
  kept: readonly RefusedPart[];
  /** The chosen chunks; empty: all of them. */
  chunkIds: readonly number[];
  onDone: (resent: Resent) => void;
}

/** Say what was wrong with refused points; they then go out as a corrected stream. */
export function CorrectForm({ receipt, kept, chunkIds, onDone }: CorrectFormProps) {
  const channels = [...new Set(kept.map(({ channel }) => channel))];
  const only = channels.length === 1 ? (channels[0] ?? null) : null;
  const [channel, setChannel] = useState<string | null>(only);
  const [name, setName] = useState<string | null>(null);
  const [unit, setUnit] = useState<string | null>(null);
  const [pointsPerChunk, setPointsPerChunk] = useState<number | null>(null);
  const now = receipt.channels.find((one) => one.name === channel);
  const send = useMutation({
    mutationFn: () =>
      sendAsNew({
        streamId: receipt.stream.id,
        chunkIds: chunkIds.length > 0 ? [...chunkIds] : null,
        channel,
        pointsPerChunk,
        unit: channel === null || unit === now?.unit ? null : unit,
        rename: channel === null || name === channel || name === '' ? null : name,
      }),
    onSuccess: onDone,
  });
  const choose = (chosen: string | null) => {
    setChannel(chosen === '' ? null : chosen);
    setName(null);
    setUnit(null);
  };
  return (
    <form
      className={classes.form}
      aria-label="Correct and send"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Select
        label="Channel"
        description="A name or unit is corrected one channel at a time"
        data={[{ value: '', label: 'Every refused channel' }, ...channels.map((value) => ({ value, label: value }))]}
        value={channel ?? ''}
        allowDeselect={false}
        onChange={choose}
      />
      <TextInput
        label="Name"
        description="As the service shall know it"
        disabled={channel === null}
        maxLength={255}
        value={name ?? channel ?? ''}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Unit"
        description="Values stay as they are; only the word changes"
        disabled={channel === null}
        maxLength={100}
        value={unit ?? now?.unit ?? ''}
        onChange={(event) => setUnit(event.currentTarget.value)}
      />
      <NumberInput
        label="Points a chunk"
        description="Smaller where the service found a chunk too large"
        min={1}
        max={POINTS_PER_CHUNK_MAX}
        allowDecimal={false}
        value={pointsPerChunk ?? receipt.stream.pointsPerChunk ?? ''}
        onChange={(value) => setPointsPerChunk(typeof value === 'number' ? value : null)}
      />
      <div className={classes.formEnd}>
        <Button type="submit" loading={send.isPending}>
          Send as a corrected stream
        </Button>
        <Quiet>The refused points stay here as they are, marked as sent again.</Quiet>
      </div>
      {send.error && <Notice tone="attention" isUrgent {...wordsOf(send.error)} />}
    </form>
  );
}
