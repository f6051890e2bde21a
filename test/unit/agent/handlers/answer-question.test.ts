import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../../../../src-main/agent/agent.ts';
import { answerQuestion } from '../../../../src-main/agent/handlers/answer-question.ts';
import { Resent } from '../../../../src-main/contract/refused.ts';
import { Snapshot } from '../../../../src-main/contract/snapshot.ts';
import { ExportAnswer, ReceiptAnswer, StreamsAnswer } from '../../../../src-main/delivery/receipt/questions.ts';
import { sessionKeyStore } from '../../../../src-main/platform/secrets.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function makeAgent() {
  const folder = tempFolder('answer');
  const data = join(folder, 'data');
  mkdirSync(data);
  const settingsFile = join(folder, 'epistream.yaml');
  const agent = createAgent({ dataFolder: data, settingsFile, version: '1.2.3', keys: sessionKeyStore() });
  onTestFinished(() => agent.stop());
  return agent;
}
const code = (code: string) => expect.objectContaining({ code });

test('a question that is none is refused, whatever it is made of', async () => {
  const agent = makeAgent();
  const almost = fc.record({
    ask: fc.oneof(fc.constantFrom('status ', 'receipt', 'export', 'send-again', '__proto__'), fc.string()),
    stream: fc.oneof(fc.constant(''), fc.integer(), fc.constant(null)),
    streamId: fc.oneof(fc.constant(-1), fc.double(), fc.string()),
    cursor: fc.anything(),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.anything(), almost), async (question) => {
      const { ask } = (question ?? {}) as { ask?: unknown };
      fc.pre(ask !== 'status' && ask !== 'screen-link' && ask !== 'orphans');
      await expect(answerQuestion(agent, question)).rejects.toEqual(code('control.unknown-question'));
    }),
  );
});

test('status is answered in every phase, receipts only while there is a queue', async () => {
  const agent = makeAgent();
  await agent.start();
  expect(Snapshot.parse(await answerQuestion(agent, { ask: 'status' })).phase).toBe('first-run');
  for (const question of [
    { ask: 'streams', before: null },
    { ask: 'receipt', stream: '1' },
    { ask: 'export', streamId: 1, cursor: { after: 0, skip: 0 } },
    { ask: 'refused', streamId: 1 },
    { ask: 'orphans' },
    { ask: 'send-again', which: { streamId: 1, chunkIds: null, channel: null } },
  ]) {
    await expect(answerQuestion(agent, question)).rejects.toEqual(code('agent.not-running'));
  }
});

test('a link to the screen is made in every phase, by an agent that has one', async () => {
  const agent = makeAgent();
  await expect(answerQuestion(agent, { ask: 'screen-link' })).rejects.toEqual(code('agent.no-screen'));
  agent.mintLink = () => 'http://127.0.0.1:4310/enter#once';
  expect(await answerQuestion(agent, { ask: 'screen-link' })).toBe('http://127.0.0.1:4310/enter#once');
});

test('answers are those of the running queue, and fit their shapes', async () => {
  const agent = makeAgent();
  await agent.handlers.trial.start(null);
  for (let points = 0; points === 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    points = agent.snapshot.streams.at(-1)?.pointsStored ?? 0;
  }
  const { streams } = StreamsAnswer.parse(await answerQuestion(agent, { ask: 'streams', before: null }));
  // The camera of the trial may have its stream by now, too.
  const stream = streams.find(({ id }) => id === agent.snapshot.streams.at(-1)?.id) ?? expect.fail('no stream');
  for (const name of [String(stream?.id), stream?.name ?? '']) {
    const receipt = ReceiptAnswer.parse(await answerQuestion(agent, { ask: 'receipt', stream: name }));
    expect(receipt).toMatchObject({ version: '1.2.3', stream: { id: stream?.id }, disagreements: [] });
  }
  const question = { ask: 'export', streamId: stream?.id, cursor: { after: 0, skip: 0 } };
  expect(ExportAnswer.parse(await answerQuestion(agent, question)).points).toBeGreaterThan(0);
  await expect(answerQuestion(agent, { ask: 'receipt', stream: 'nobody' })).rejects.toEqual(
    code('receipt.unknown-stream'),
  );
  await expect(answerQuestion(agent, { ...question, streamId: 99 })).rejects.toEqual(code('receipt.unknown-stream'));
  expect(StreamsAnswer.parse(await answerQuestion(agent, { ask: 'streams', before: stream?.id })).streams).toEqual([]);

  expect(await answerQuestion(agent, { ask: 'refused', streamId: stream?.id })).toEqual([]);
  const which = { streamId: stream?.id, chunkIds: null, channel: null };
  const change = { pointsPerChunk: 5, unit: null, rename: null };
  for (const question of [
    { ask: 'send-again', which },
    { ask: 'send-as-new', which: { ...which, ...change } },
  ]) {
    expect(Resent.parse(await answerQuestion(agent, question))).toMatchObject({ chunks: 0, stream: null });
    const elsewhere = { ...question, which: { ...question.which, streamId: 99 } };
    await expect(answerQuestion(agent, elsewhere)).rejects.toEqual(code('resend.unknown-stream'));
  }
});
