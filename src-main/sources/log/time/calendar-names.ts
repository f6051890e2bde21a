// Names of months and weekdays, as programs of several languages write them into long dates. Letters that are not ASCII are
// left out on both sides: a stamp is read from bytes of which nobody has said how they are encoded.

/** By language: English, German (Austria), French, Spanish, Italian, Dutch, Portuguese, Polish, Swedish and Danish. */
const MONTHS: readonly (readonly string[])[] = [
  'jan january januar jänner jän janvier janv enero ene gennaio gen januari janeiro stycznia',
  'feb february februar feber février févr fév febrero febbraio februari fevereiro fev lutego',
  'mar march märz mrz mär mars marzo maart mrt março marca marts',
  'apr april avril avr abril abr aprile kwietnia',
  'may mai mayo maggio mag mei maio maj maja',
  'jun june juni juin junio giugno giu junho czerwca',
  'jul july juli juillet juil julio luglio lug julho lipca',
  'aug august août aoû agosto ago augustus augusti sierpnia',
  'sep sept september septembre septiembre setiembre settembre set setembro września',
  'oct october oktober okt octobre octubre ottobre ott outubro out października',
  'nov november novembre noviembre novembro listopada',
  'dec december dezember dez décembre déc diciembre dic dicembre dezembro grudnia',
].map((names) => names.split(' '));

const WEEKDAYS = new Set(
  (
    'mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday ' +
    'mo montag di dienstag mi mittwoch do donnerstag fr freitag sa samstag sonnabend so sonntag ' +
    'lun lundi mardi mer mercredi jeu jeudi ven vendredi sam samedi dim dimanche ' +
    'lunes martes mié miércoles jue jueves vie viernes sáb sábado dom domingo ' +
    'lunedì martedì mercoledì gio giovedì venerdì sabato domenica ' +
    'ma maandag dinsdag wo woensdag donderdag vr vrijdag za zaterdag zo zondag'
  )
    .split(' ')
    .map(asciiOf),
);

const MONTH_OF = new Map(MONTHS.flatMap((names, index) => names.map((name) => [asciiOf(name), index + 1] as const)));

function asciiOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The month that a word names, from 1; undefined: none. */
export function monthOf(word: string): number | undefined {
  return MONTH_OF.get(asciiOf(word));
}

/** True for the name of a weekday. */
export function isWeekday(word: string): boolean {
  return WEEKDAYS.has(asciiOf(word));
}
