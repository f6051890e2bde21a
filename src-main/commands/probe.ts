// `epistream probe PORT`: which instrument answers there, at which settings, and what it would read. Nothing but questions
// is sent, and nothing is recorded.
import { fitOf, nameSettings, type ProbeMatch, type ProbeResult, probe } from '../agent/check/probe-port.ts';
import { AgentError } from '../model/agent-error.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption } from './shared/options.ts';

const OPTIONS = {
  instrument: { value: 'NAME', help: 'try this instrument only (several: separated by commas)' },
  baud: { value: 'N', help: 'try this baud rate only (several: separated by commas)' },
  address: { value: 'A', help: "address on the line instead of each instrument's own" },
  json: { value: null, help: 'print the result as JSON' },
} as const satisfies Record<string, Option>;

/**
 * Probe a port.
 *
 * @returns exit code 0 when an instrument was found, 1 when none was.
 * @throws `cli.usage`; those of opening the port.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('probe', 'Say which instrument answers on a port.', OPTIONS, args, ['PORT']);
  if (!read) return EXIT.done;
  const { values, words } = read;
  const port = requireOption('probe', 'PORT', words[0]);
  if (values.instrument === undefined) {
    console.error(
      'Every known instrument is asked for; that takes up to three minutes. On the line of a power supply name the one: --instrument NAME.',
    );
  }
  const abort = new AbortController();
  const stop = () => abort.abort();
  process.once('SIGINT', stop);
  try {
    const result = await probe({
      port,
      instruments: listOf(values.instrument),
      bauds: listOf(values.baud).map(readBaud),
      address: values.address === undefined ? null : readAddress(values.address),
      signal: abort.signal,
      onTry: (text) => console.error(`  asking ${text}`),
    });
    if (values.json) console.log(JSON.stringify(result, null, 2));
    else console.log(describeResult(result, port));
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

/** The result for people, with what to write into the settings for the one that fits best. */
export function describeResult({ matches, heard, unasked }: ProbeResult, port: string): string {
  const [first] = matches;
  const strange = heard.map(({ line, text }) => `At ${nameSettings(line)}: ${text}.`);
  if (!first) {
    const hint =
      'Check that the instrument is on, the cable (crossed or straight) and the address; close other programs.';
    return ['No known instrument answers.', ...strange, hint, ...describeUnasked(unasked)].join('\n');
  }
  return [...matches.map(describeMatch), ...strange, ...describeChoice(matches, port)].join('\n');
}

/** What to write into the settings: nothing where nothing was read, each of those that fit as well as the best one. */
function describeChoice(matches: readonly ProbeMatch[], port: string): string[] {
  const hasRead = ({ isSure, readings }: ProbeMatch) => isSure || readings.some(({ value }) => value !== null);
  const best = Math.max(...matches.map(fitOf));
  const chosen = matches.filter((match) => hasRead(match) && fitOf(match) === best);
  const [first] = chosen;
  if (!first) return ['None of them gave a value: look which instrument stands there, and name it with --instrument.'];
  const several =
    'Several instruments answer so: take the name of the one that stands there, and compare with its display.';
  const choice = !first.isSure && matches.length > 1 ? [several] : [];
  const where = chosen.length === 1 ? 'In the settings, under sources:' : 'In the settings, under sources, one of:';
  return [...choice, where, ...chosen.map((match) => settingOf(match, port))];
}

/** Who was not asked, by the reason. */
function describeUnasked(unasked: ProbeResult['unasked']): string[] {
  const reasons = [...new Set(unasked.map(({ reason }) => reason))];
  if (reasons.length === 0) return [];
  const lines = reasons.map((reason) => {
    const names = unasked.filter((one) => one.reason === reason).map(({ instrument }) => instrument);
    return `  ${reason}: ${names.join(', ')}`;
  });
  return ['These were not asked; name one with --instrument NAME:', ...lines];
}

/** An entry of the list of sources, as YAML on one line that can be pasted: what the instrument's own file says is left out. */
function settingOf({ instrument, differs }: ProbeMatch, port: string): string {
  const fields = [
    `id: ${instrument}`,
    'kind: serial',
    `port: ${JSON.stringify(port)}`,
    `instrument: ${instrument}`,
    ...(differs.address === null ? [] : [`address: ${JSON.stringify(differs.address)}`]),
    ...(isEmpty(differs.line) ? [] : [`line: ${flow(differs.line)}`]),
    ...(isEmpty(differs.options) ? [] : [`options: ${flow(differs.options)}`]),
  ];
  return `  - { ${fields.join(', ')} }`;
}

const isEmpty = (mapping: object) => Object.keys(mapping).length === 0;
const flow = (mapping: object) =>
  `{ ${Object.entries(mapping)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ')} }`;

function describeMatch({ title, instrument, isSure, identity, line, address, readings }: ProbeMatch): string {
  const certainty = isSure ? 'answers' : 'may be it (its reply only shows the protocol)';
  const place = `${nameSettings(line)}${address === null ? '' : `, address ${address}`}`;
  const lines = readings.map(({ channel, unit, value, text }) =>
    value === null ? `    ${channel}: no value (${text})` : `    ${channel}: ${value} ${unit}`.trimEnd(),
  );
  return [`${title} (${instrument}) ${certainty} at ${place}: "${identity}"`, ...lines].join('\n');
}
