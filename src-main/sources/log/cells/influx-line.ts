// Lines as InfluxDB takes them: `pressure,gauge=IG value=1.3e-8,status=1i 1795166100000000000`. Source: InfluxDB v2, "Line
// protocol". A channel is a field of a measurement with its tags: the same field under other tags is another thing.

const NAME = String.raw`(?:\\.|[^\\,= ])+`;
const FIELD = String.raw`${NAME}=(?:"(?:\\.|[^"\\])*"|[^", ]+)`;
const LINE = new RegExp(
  String.raw`^([A-Za-z_](?:\\.|[^\\,= ])*)((?:,${NAME}=${NAME})*) +(${FIELD}(?:,${FIELD})*)(?: +(-?\d{9,19}))?\s*$`,
);
const FIELDS = new RegExp(String.raw`(${NAME})=("(?:\\.|[^"\\])*"|[^", ]+)`, 'g');

const withoutEscapes = (text: string) => text.replace(/\\(.)/g, '$1');

/** The values of a line by name, the time under `lead`; null when it is no such line. */
export function readInflux(line: string, lead: string): ReadonlyMap<string, string> | null {
  const [, measurement, tags = '', fields = '', stamp] = LINE.exec(line.trim()) ?? [];
  if (measurement === undefined || stamp === undefined) return null;
  // Tags are a set: in another order they are the same.
  const own = tags
    .slice(1)
    .split(/(?<!\\),/)
    .sort();
  const said = tags === '' ? '' : ` (${withoutEscapes(own.join(', '))})`;
  const values = new Map([[lead, stamp]]);
  for (const [, field = '', value = ''] of fields.matchAll(FIELDS)) {
    // Whole numbers have an i or u behind them.
    const plain = /^[+-]?\d+[iu]$/.test(value) ? value.slice(0, -1) : value.replace(/^"(.*)"$/, '$1');
    values.set(`${withoutEscapes(measurement)} ${withoutEscapes(field)}${said}`, plain);
  }
  return values;
}
