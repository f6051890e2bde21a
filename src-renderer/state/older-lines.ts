// Points that are kept at the service only, read back while a person wants them.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';
import { LIVE_POINTS_MAX, type OlderEntry, type PlotChannel, type PlotLine } from './plot.ts';

/** How the reading from the service stands. */
export interface OlderReading {
  readonly lines: readonly PlotLine[];
  /** Entries read so far, of those there are. */
  readonly done: number;
  readonly isReading: boolean;
  readonly failed: unknown;
}

const nothingRead: OlderReading = { lines: [], done: 0, isReading: false, failed: null };

/**
 * Read older points back from the service, entry after entry, while it is wanted; what was read of an entry is kept, so that
 * only what is new is asked for. To want it no more ends it behind the entry that is under way.
 */
export function useOlderLines(
  entries: readonly OlderEntry[],
  channels: readonly PlotChannel[],
  isWanted: boolean,
): OlderReading {
  const client = useQueryClient();
  const [reading, setReading] = useState<OlderReading>(nothingRead);
  const shape = JSON.stringify([entries, channels, isWanted]);
  const latest = useRef(shape);
  latest.current = shape;
  useEffect(() => {
    if (!isWanted || entries.length === 0) {
      setReading(nothingRead);
      return;
    }
    const isOver = () => latest.current !== shape;
    const run = async () => {
      const lines: PlotLine[] = [];
      for (const [at, { streamId: _, name: __, ...entry }] of entries.entries()) {
        if (isOver()) return;
        setReading({ lines: [...lines], done: at, isReading: true, failed: null });
        const own = channels.filter(({ sourceId }) => sourceId === entry.sourceId).map(({ channel }) => channel);
        const read = await client.fetchQuery({
          queryKey: ['plots.readOlder', entry, own],
          queryFn: () => ask(agent.plot.readOlder({ entry, channels: own, maxPoints: LIVE_POINTS_MAX })),
          staleTime: Number.POSITIVE_INFINITY,
        });
        lines.push(...(read ?? []));
      }
      if (!isOver()) setReading({ lines, done: entries.length, isReading: false, failed: null });
    };
    run().catch((failed: unknown) => {
      if (!isOver()) setReading((before) => ({ ...before, isReading: false, failed }));
    });
    // `shape` stands for the three of them.
  }, [shape]);
  return reading;
}
