// Fault matrix, row 62: patterns of people. On the engine of the language some of these would outlast the sun; that they
// end at all is the proof.
import { describe, expect, test } from 'vitest';
import { toAgentError } from '../../../src-main/model/agent-error.ts';
import { compileLinePattern, PATTERN_LINE_MAX } from '../../../src-main/model/line-pattern.ts';
import { parseSettings } from '../../../src-main/settings/parse-settings.ts';
import type { LogSourceOptions } from '../../../src-main/sources/log/log-source.ts';
import { openLogRig } from '../../support/logs/log-rig.ts';

const begin = (options: Partial<LogSourceOptions>) => openLogRig({ match: '*.log', ...options });

/** What is said of a pattern in a settings file. */
function faultOf(pattern: string) {
  const text = `version: 1\ntool: { name: T, time_zone: UTC }\nsources:\n  - id: a\n    kind: log\n    path: /x\n    dialect:\n      line: '${pattern}'\n`;
  const parsed = parseSettings(text, '/lab/epistream.yaml');
  if (parsed.isValid) return null;
  const [{ line, column, path, message, hint } = expect.fail('no fault')] = parsed.faults;
  return { place: `${line}:${column} ${path}`, message, hint };
}

const EVIL = [
  '(?P<time>(?P<v>a+)+)',
  '(?P<time>(a|aa)+)(?P<v>b)',
  '(?P<time>(a*)*)(?P<v>b)',
  '(?P<time>(?:a?){200})(?P<v>a{200})',
];

describe('row 62', () => {
  test.each(EVIL)('the pattern %s ends on the longest line there is', (text) => {
    const pattern = compileLinePattern(text);
    if (!pattern.isValid) throw new Error(pattern.message);
    const line = `${'a'.repeat(PATTERN_LINE_MAX - 1)}!`;
    for (let i = 0; i < 20; i++) expect(pattern.match(line)).toBe(null);
    // A longer one is not even looked at.
    expect(pattern.match('a'.repeat(50_000))).toBe(null);
  });

  test('lines that no separator cuts are read by named groups, and what does not fit is refused with its text', async () => {
    const { writer, reader } = begin({
      dialect: {
        line: String.raw`(?P<time>\S+ \S+) \[(?:INFO|WARN)\] T=(?P<temperature>\S+) °C, p=(?P<pressure>\S+) mbar(?:, (?P<shutter>\w+))?`,
        states: { open: 1, shut: 0 },
        units: { temperature: '°C', pressure: 'mbar' },
      },
    });
    await writer.append(
      'a.log',
      'Tool 3, started by A. B.\n2026-11-20 10:00:00.5 [INFO] T=550.1 °C, p=2.78e-8 mbar, open\n',
    );
    await reader.look();
    await reader.kill();
    const odd = '2026-11-20 10:00:02 [INFO] valve moved';
    await writer.append(
      'a.log',
      `2026-11-20 10:00:01.5 [WARN] T=OVER °C, p=2.79e-8 mbar\n${odd}\n2026-11-20 10:00:03.5 [INFO] T=550.3 °C, p=2.8e-8 mbar, shut\n`,
    );
    await reader.look();
    expect(reader.sink.values('temperature')).toEqual([550.1, 550.3]);
    expect(reader.sink.points('pressure')).toEqual([
      { timeMs: Date.parse('2026-11-20T10:00:00.5Z'), value: 2.78e-8 },
      { timeMs: Date.parse('2026-11-20T10:00:01.5Z'), value: 2.79e-8 },
      { timeMs: Date.parse('2026-11-20T10:00:03.5Z'), value: 2.8e-8 },
    ]);
    expect(reader.sink.values('shutter')).toEqual([1, 0]);
    expect(reader.sink.declared.get('pressure')?.unit).toBe('mbar');
    expect(reader.sink.refusals.map(({ text, channel, reason, line }) => [text, channel, reason, line])).toEqual([
      ['OVER', 'temperature', 'not a number', 3],
      [odd, '', 'does not fit the pattern of the dialect', 4],
    ]);
    expect(reader.sink.rowsRead).toBe(4);
  });

  test('a pattern that is within all limits and slow all the same stops its source, and no other', async () => {
    const line = '(?P<time>(?i:(?:[a-zäöüß]|\\pL)*))(?P<v>(?:.?.?.?.?){200}q)';
    const { writer, reader } = begin({ dialect: { line, time: { format: 'unix-seconds' } } });
    const other = begin({});
    await writer.append('a.log', `${'ab'.repeat(4000)}!\n`.repeat(40));
    await other.writer.append('b.log', 'time,v\n1790000001,1\n');
    const failure = await reader.look().catch((thrown: unknown) => toAgentError(thrown));
    expect(failure).toMatchObject({ code: 'log.pattern-slow', retry: 'after-human' });
    await other.reader.look();
    expect(other.reader.sink.values('v')).toEqual([1]);
  });

  test('date and time in two groups are one stamp', async () => {
    const { writer, reader } = begin({
      dialect: {
        line: String.raw`(?P<v>\d+) at (?P<date>\S+) / (?P<time>\S+)`,
        time: { format: 'dd/MM/yyyy HH:mm:ss' },
      },
    });
    await writer.append('a.log', '7 at 12/06/2026 / 10:00:00\n8 at 12/06/2026 / 10:00:01\n');
    await reader.look();
    expect(reader.sink.points('v')).toEqual([
      { timeMs: Date.parse('2026-06-12T10:00:00Z'), value: 7 },
      { timeMs: Date.parse('2026-06-12T10:00:01Z'), value: 8 },
    ]);
  });

  test.each([
    ['(?<=T=)(?P<time>.)(?P<v>.)', 'the pattern uses lookbehind at character 1', 'RE2'],
    ['(?P<time>.)(?<!x)(?P<v>.)', 'the pattern uses lookbehind at character 12', 'RE2'],
    ['(?P<time>.)(?=x)(?P<v>.)', 'the pattern uses lookahead at character 12', 'RE2'],
    ['(?P<time>.)(?P<v>.)\\1', 'the pattern uses a back-reference at character 20', 'RE2'],
    ['(?P<time>.)(?P<v>.)(?P=v)', 'the pattern uses a back-reference at character 20', 'RE2'],
    ['(?P<time>.)(?P<v>.)\\k<v>', 'the pattern uses a back-reference at character 20', 'RE2'],
    ['(?>a)(?P<time>.)(?P<v>.)', 'the pattern uses an atomic group at character 1', '(?:...)'],
    ['(?P<time>.)(?P<v>.++)', 'the pattern uses a possessive quantifier at character 19', 'second +'],
    ['(?P<time>.)(?P<v>.', 'the pattern cannot be read: missing closing )', 'RE2'],
    ['(?P<time>.)(?P<v v>.)', 'the pattern cannot be read at character 12: invalid named capture ((?P<v v>)', 'RE2'],
    ['(?P<time>.)(?P<v>.)(?P<v>.)', 'duplicate capture group name', 'RE2'],
    ['(?P<when>.)(?P<v>.)', 'no group named time, date or stamp', '(?P<time>'],
    ['(?P<time>.)(.)', 'no group for a channel', '(?P<time>'],
    ['(?P<time>.)(?P<v>(?:a{100}){30})', 'invalid repeat count', 'RE2'],
    ['(?P<time>.)(?P<v>(?:a{90}b{90}c{90}d{90}){7})', 'steps once its repetitions are written out', '{n}'],
    [`(?P<time>.)(?P<v>${'x'.repeat(1000)})`, 'the pattern has 1018 characters, more than 1000', 'shorter'],
  ])('the pattern %s is refused in the settings with its place and a hint', (pattern, message, hint) => {
    const fault = faultOf(pattern);
    expect(fault?.place).toBe('8:13 sources[0].dialect.line');
    expect(fault?.message).toContain(message);
    expect(fault?.hint).toContain(hint);
  });

  test.each(['(?P<time>[(?<=]\\S+) (?P<v>\\S+)', '(?P<time>\\(\\?=\\S+) (?P<v>a\\++)'])(
    'signs that only look forbidden are none: %s',
    (pattern) => expect(faultOf(pattern)).toBe(null),
  );
});
