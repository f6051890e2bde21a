// What a person learns about the key that was typed in: whether this PC could keep it, and that it cannot be one.
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../../src-main/agent/agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

const WARNING = 'This PC has no key store, so the API key is kept for this session only.';

test('says on the screen that a key lives for this session only, and refuses what cannot be a key', async () => {
  const folder = tempFolder('keys');
  let kept: string | null = null;
  const agent = createAgent({
    dataFolder: folder,
    settingsFile: `${folder}/epistream.yaml`,
    version: '0.0.0-test',
    keys: {
      read: () => kept,
      keep: async (key) => {
        kept = key;
      },
      get warning() {
        return kept === null ? '' : WARNING;
      },
    },
  });
  onTestFinished(() => agent.stop());
  await agent.start();
  await agent.handlers.trial.start(null);
  const journal = async () => (await agent.handlers.snapshot.read(null)).journal;
  expect((await journal()).filter(({ code }) => code.startsWith('key.'))).toEqual([]);

  await expect(agent.handlers.service.keepKey({ apiKey: 'two words' })).rejects.toMatchObject({
    code: 'key.malformed',
  });
  expect(kept).toBeNull();
  await agent.handlers.service.keepKey({ apiKey: ' canary-key-7f3q\n' });
  expect(kept).toBe('canary-key-7f3q');
  await expect.poll(journal).toContainEqual(expect.objectContaining({ code: 'key.not-kept', message: WARNING }));
  expect(JSON.stringify(await agent.handlers.snapshot.read(null))).not.toContain('canary');
});
