// Time zones by the names that heads of logs give them: those of Windows, and abbreviations. A name of Windows that nothing
// else is called by means the zone with its clock changes; an abbreviation, or the English name of an American zone, may mean
// one offset all year as well, so it is only likely.

/** What an abbreviation means most often: offered, never assumed. */
const LIKELY: Readonly<Record<string, string>> = {
  CET: '+01:00',
  MEZ: '+01:00',
  CEST: '+02:00',
  MESZ: '+02:00',
  BST: '+01:00',
  EET: '+02:00',
  MSK: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  JST: '+09:00',
  KST: '+09:00',
  IST: '+05:30',
  HKT: '+08:00',
  SGT: '+08:00',
  AEST: '+10:00',
};

/** Names of Windows, "Standard Time" or "Daylight Time" left out. Source: CLDR, windowsZones. */
const WINDOWS: Readonly<Record<string, string>> = {
  'W. Europe': 'Europe/Berlin',
  Romance: 'Europe/Paris',
  'Central Europe': 'Europe/Budapest',
  'Central European': 'Europe/Warsaw',
  GMT: 'Europe/London',
  FLE: 'Europe/Kyiv',
  GTB: 'Europe/Bucharest',
  'E. Europe': 'Europe/Chisinau',
  Russian: 'Europe/Moscow',
  Turkey: 'Europe/Istanbul',
  Israel: 'Asia/Jerusalem',
  India: 'Asia/Kolkata',
  China: 'Asia/Shanghai',
  Singapore: 'Asia/Singapore',
  Taipei: 'Asia/Taipei',
  ...{
    Tokyo: 'Asia/Tokyo',
    Korea: 'Asia/Seoul',
    'AUS Eastern': 'Australia/Sydney',
    'E. Australia': 'Australia/Brisbane',
  },
};

/** American names of Windows, which people also use for the offset of winter or of summer alone. */
const AMERICAN: Readonly<Record<string, readonly [standard: string, daylight: string]>> = {
  Eastern: ['-05:00', '-04:00'],
  Central: ['-06:00', '-05:00'],
  Mountain: ['-07:00', '-06:00'],
  Pacific: ['-08:00', '-07:00'],
};

const FULL_NAME = /(?<![\w.])((?:[A-Z]\. )?[A-Z][\w]*(?: [A-Z][a-z]+)?) (Standard|Daylight|Summer) Time\b/;

/** The zone that a name of Windows means for certain; null: none is named, or it may be an offset. */
export function windowsZone(text: string): string | null {
  const name = FULL_NAME.exec(text)?.[1] ?? '';
  return Object.hasOwn(WINDOWS, name) ? (WINDOWS[name] as string) : null;
}

/** Offsets from UTC that the names in a text mean most often; none: no name is known. */
export function likelyOffsets(text: string): string[] {
  const [, name = '', season] = FULL_NAME.exec(text) ?? [];
  const american = Object.hasOwn(AMERICAN, name) ? AMERICAN[name] : undefined;
  if (american !== undefined) return [american[season === 'Standard' ? 0 : 1]];
  return (text.match(/(?<![A-Za-z])[A-Z]{3,4}(?![A-Za-z])/g) ?? []).flatMap((short) => LIKELY[short] ?? []);
}

/** True where a text names the city of an IANA zone, as the long names of Windows do: (UTC+01:00) Amsterdam, Berlin, Bern. */
export function namesCityOf(text: string, zone: string): boolean {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? '';
  return zone.includes('/') && !zone.startsWith('Etc/') && city !== '' && text.includes(city);
}
