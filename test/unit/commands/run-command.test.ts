import { expect, onTestFinished, test, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { runCommand } from '../../../src-main/commands/run-command.ts';

test.each([
  ['--version', 0, manifest.version],
  ['--help', 0, 'Usage: epistream'],
])('%s ends with %i and prints "%s"', async (word, code, text) => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  expect(await runCommand([word])).toBe(code);
  expect(printed.mock.calls.join('\n')).toContain(text);
});
