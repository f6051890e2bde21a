// `epistream probe PORT`: which instrument answers there, at which settings, and what it would read. Nothing but questions
// is sent, and nothing is recorded.
import { nameSettings, type ProbeMatch, type ProbeResult, probe } from '../agent/probe-port.ts';
import { AgentError } from '../model/agent-error.ts';
import { EXIT } from './exit.ts';
import { type Option, readOptions, requireOption } from './options.ts';

const OPTIONS = {
  instrument: { value: 'NAME', help: 'try this instrument only (several: separated by commas)' },
  baud: { value: 'N', help: 'try this baud rate only (several: separated by commas)' },
  address: { value: 'A', help: "address on the line instead of each instrument's own" },
  json: { value: null, help: 'print the result as JSON' },
} as const satisfies Record<string, Option>;

/**
 * Probe a port.
 *
 * **Gives**: exit code 0 when an instrument was found, 1 when none was.
 * **Errors**: `cli.usage`; those of opening the port.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('probe', 'Say which instrument answers on a port.', OPTIONS, args, ['PORT']);
  if (!read) return EXIT.done;
  const { values, words } = read;
  if (values.instrument === undefined) {
    console.error(
      'Every known instrument is asked for. On the line of a power supply name the one: --instrument NAME.',
    );
  }
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  try {
    const result = await probe({
      port: requireOption('probe', 'PORT', words[0]),
      instruments: listOf(values.instrument),
      bauds: listOf(values.baud).map(readBaud),
      address: values.address === undefined ? null : readAddress(values.address),
      signal: abort.signal,
      onTry: (text) => console.error(`  asking ${text}`),
    });
    if (values.json) console.log(JSON.stringify(result, null, 2));
    else console.log(describeResult(result));
    return result.matches.length > 0 ? EXIT.done : EXIT.fault;
  } finally {
    process.removeListener('SIGINT', stop);
  }
}

const listOf = (text: string | undefined) => (text === undefined ? [] : text.split(',').map((part) => part.trim()));
const readAddress = (text: string) => (/^[1-9]\d*$|^0$/.test(text) ? Number(text) : text);

function readBaud(text: string): number {
  const baud = Number(text);
  if (Number.isInteger(baud) && baud >= 50 && baud <= 4_000_000) return baud;
  const message = `${JSON.stringify(text)} is not a baud rate.`;
  throw new AgentError({ code: 'cli.usage', message, hint: 'For example --baud 9600 or --baud 9600,19200.' });
}

/** The result for people. */
export function describeResult({ matches, heard }: ProbeResult): string {
  const [first] = matches;
  const strange = heard.map(({ line, text }) => `At ${nameSettings(line)}: ${text}.`);
  if (!first) {
    const hint =
      'Check that the instrument is on, the cable (crossed or straight) and the address; close other programs.';
    return ['No known instrument answers.', ...strange, hint].join('\n');
  }
  const found = matches.map(describeMatch);
  const setting = `In the settings: { id: ..., kind: serial, port: ..., instrument: ${first.instrument} }`;
  return [...found, ...strange, setting].join('\n');
}

function describeMatch({ title, instrument, isSure, identity, line, address, readings }: ProbeMatch): string {
  const certainty = isSure ? 'answers' : 'may be it (its reply only shows the protocol)';
  const place = `${nameSettings(line)}${address === null ? '' : `, address ${address}`}`;
  const lines = readings.map(({ channel, unit, value, text }) =>
    value === null ? `    ${channel}: no value (${text})` : `    ${channel}: ${value} ${unit}`.trimEnd(),
  );
  return [`${title} (${instrument}) ${certainty} at ${place}: "${identity}"`, ...lines].join('\n');
}
