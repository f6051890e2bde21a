// The Gregorian calendar, without zones.

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
export const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to a date of the Gregorian calendar. Source: Hinnant, "chrono-compatible low-level date algorithms". */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Length of a month; 0 when there is no such month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2 && (year % 4 === 0 ? year % 100 !== 0 || year % 400 === 0 : false)) return 29;
  return DAYS[month - 1] ?? 0;
}
