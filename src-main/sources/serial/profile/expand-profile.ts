// Options put into a profile before it is checked. In the YAML of an instrument
//
//   options: { inputs: { default: [A, B], about: ... } }
//   questions:
//     - each: { input: $inputs }        one question for each value
//       id: kelvin-${input}
//
// a text that is `$name` becomes the value itself, `${name}` within a text its words. Nothing else is replaced, so that
// patterns may hold $.
import { InstrumentOption, type OptionValue } from '../../../model/instrument.ts';
import { profileFault } from '../protocol/profile-fault.ts';

type Values = Readonly<Record<string, OptionValue>>;

const isMapping = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/**
 * Put options into a profile. Takes the profile as its YAML has it, what stands for options in the settings, and its name
 * for errors.
 *
 * @returns the profile without `options` and `each`, not yet checked.
 * @throws `serial.profile-broken` for an option that is not there or not one of its choices.
 */
export function expandProfile(raw: unknown, given: Values, where: string): unknown {
  if (!isMapping(raw)) throw profileFault(where, 'it is no mapping', 'Correct the profile.');
  const { options, ...rest } = raw;
  return fill(rest, optionValues(options, given, where), where);
}

/**
 * Read the options of a profile. Takes them as YAML has them; absent: none.
 *
 * @throws `serial.profile-broken`.
 */
export function readOptions(raw: unknown, where: string): Readonly<Record<string, InstrumentOption>> {
  const options = isMapping(raw) ? raw : {};
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const result = InstrumentOption.safeParse(option);
      if (result.success) return [name, result.data];
      const why = result.error.issues[0]?.message ?? 'does not fit';
      throw profileFault(where, `options.${name}: ${why}`, 'Correct the profile.');
    }),
  );
}

function optionValues(raw: unknown, given: Values, where: string): Values {
  const options = readOptions(raw, where);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(options, name));
  if (unknown !== undefined) {
    const names = Object.keys(options)
      .filter((name) => !options[name]?.simulators_only)
      .join(', ');
    throw profileFault(where, `there is no option "${unknown}"`, names ? `Available: ${names}.` : 'It has no options.');
  }
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const value = given[name] ?? option.default;
      const isOdd = (one: unknown) => option.choices !== null && !option.choices.some((choice) => choice === one);
      const odd = (Array.isArray(value) ? value : [value]).find(isOdd);
      if (odd === undefined && Array.isArray(value) === Array.isArray(option.default)) return [name, value];
      const hint = option.choices ? `Choices: ${option.choices.join(', ')}.` : 'Give a list where the default is one.';
      throw profileFault(where, `option ${name} cannot be ${JSON.stringify(value)}`, hint);
    }),
  );
}

function fill(node: unknown, values: Values, where: string): unknown {
  if (typeof node === 'string') return fillText(node, values, where);
  if (Array.isArray(node)) return node.flatMap((item) => fillItem(item, values, where));
  if (!isMapping(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [String(fillText(key, values, where)), fill(value, values, where)]),
  );
}

/** An item of a list: itself, or with `each` one for every value. */
function fillItem(item: unknown, values: Values, where: string): unknown[] {
  if (!isMapping(item) || !isMapping(item.each)) return [fill(item, values, where)];
  const { each, ...rest } = item;
  let rounds: Values[] = [values];
  for (const [name, list] of Object.entries(each)) {
    const filled = fill(list, values, where);
    if (!Array.isArray(filled))
      throw profileFault(where, `each: ${name} is no list`, 'Give a list, or an option that is one.');
    rounds = rounds.flatMap((round) => filled.map((value) => ({ ...round, [name]: value as OptionValue })));
  }
  return rounds.map((round) => fill(rest, round, where));
}

function fillText(text: string, values: Values, where: string): unknown {
  const whole = /^\$([a-z][a-z0-9_]*)$/.exec(text)?.[1];
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole];
  return text.replace(/\$\{([a-z][a-z0-9_]*)\}/g, (_, name: string) => {
    if (Object.hasOwn(values, name)) return String(values[name]);
    throw profileFault(where, `\${${name}} is no option`, `Available: ${Object.keys(values).join(', ') || 'none'}.`);
  });
}
