// What the journal hears of a source that gives no data: its loss and its return once each, whatever is tried meanwhile.
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../../../src-main/agent/pipeline/journal.ts';
import { SourceJournal } from '../../../../src-main/agent/pipeline/source-journal.ts';

function journal() {
  const told: string[] = [];
  const record = ({ level, message }: JournalEvent) => void told.push(`${level}: ${message}`);
  return { told, words: new SourceJournal({ record }, 'lakeshore') };
}

const event = (code: string, message: string): JournalEvent => ({ level: 'warning', code, message, hint: '' });
const at = (health: 'giving' | 'late' | 'silent' | 'gone', lastCaptureMs: number) => {
  return { health, kind: 'serial', lastCaptureMs } as const;
};

test('records one loss and one return of a line that is reopened again and again', () => {
  const { told, words } = journal();
  words.look(at('giving', 0));
  for (let atMs = 1000; atMs < 300_000; atMs += 34_000) {
    words.look(at('gone', 0));
    words.record(event('serial.silent', `No data for ${atMs} ms. The port is opened again.`));
    words.record(event('serial.unverified', 'Not verified on an instrument.'));
  }
  words.look(at('giving', 300_000));
  expect(told).toEqual([
    'warning: Source lakeshore: Data stopped.',
    'warning: Source lakeshore: No data for 1000 ms. The port is opened again.',
    'warning: Source lakeshore: Not verified on an instrument.',
    'info: Source lakeshore: Data resumed after 5 min.',
  ]);
  words.record(event('serial.silent', 'No data for 3 s.'));
  expect(told).toHaveLength(5);
});

test('records silence once, also where the source is late before and after', () => {
  const { told, words } = journal();
  for (const health of ['giving', 'late', 'silent', 'silent', 'giving', 'late', 'giving'] as const) {
    words.look(at(health, health === 'giving' ? 60_000 : 0));
  }
  expect(told).toEqual([
    'warning: Source lakeshore: Data stopped.',
    'info: Source lakeshore: Data resumed after 1 min.',
  ]);
});
