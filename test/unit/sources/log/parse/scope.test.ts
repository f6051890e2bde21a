// Exports of TwinCAT Scope whose head contradicts itself or its rows.
import { describe, expect, test } from 'vitest';
import { recognise as recogniseText } from '../../../../support/logs/text-log.ts';

function recognise(start: string, rows: string) {
  const text = `Name\tx\nStarttime of export\t${start}\n\nName\ta\tName\tb\nData-Type\tREAL64\tData-Type\tREAL64\n\n${rows}`;
  return recogniseText(text, { path: 'x.csv', zone: 'UTC' });
}

const ROWS = '0\t1.5\t0\t2.5\n1\t1.5\t10\t2.5\n';

describe('an export of TwinCAT Scope', () => {
  test.each([
    ['whose start is of two days', '132959733843760000\tMontag, 9. Mai 2022\t15:56:24.376', ROWS],
    ['without a start', 'gestern', ROWS],
    ['with both decimal marks', '132959733843760000', '0\t1,5\t0\t2.5\n'],
    ['whose times are of another kind', '132959733843760000', '44683.5\t1.5\t99999999999\t2.5\n'],
  ])('%s is a question', (_, start, rows) => {
    expect(recognise(start, rows)).toMatchObject({ code: 'log.scope-unclear', isWaiting: false });
  });

  test('takes FILETIME in its times, too', () => {
    const found = recognise('132959733843760000', '132959733843760000\t1.5\t132959733843760000\t2.5\n');
    expect('layout' in found && found.layout.groups).toMatchObject([{ unitMs: 1e-4 }, { unitMs: 1e-4 }]);
  });

  test('waits for its first row', () => {
    expect(recognise('132959733843760000', '')).toMatchObject({ isWaiting: true });
  });
});
