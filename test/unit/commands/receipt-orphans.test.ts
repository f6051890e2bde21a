import { expect, onTestFinished, test } from 'vitest';
import { announceAgent } from '../../../src-main/platform/announce.ts';
import { startControlServer } from '../../../src-main/platform/control.ts';
import { openDataFolder } from '../../../src-main/platform/data-folder.ts';
import { runHere } from '../../support/command.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('says that there may be more where the catalogue was not read to its end', async () => {
  const folder = await openDataFolder(tempFolder());
  onTestFinished(() => folder.close());
  const questions: unknown[] = [];
  const server = await startControlServer({
    answer: async (question) => {
      questions.push(question);
      return { orphans: [], total: 0, isCut: true };
    },
  });
  onTestFinished(() => server.close());
  await announceAgent(folder, server);
  expect(await runHere(['receipt', '--data', folder.path, '--orphans'])).toEqual({
    code: 0,
    out: '0 entries without a stream.\nThe catalogue is longer than was looked through: there may be more.\n',
    err: '',
  });
  expect(questions).toEqual([{ ask: 'orphans' }]);
});
