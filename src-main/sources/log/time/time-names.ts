// What a column of time is called, whether it tells an instant or counts from a start.

/** Headers of columns that hold time. */
export const TIME_HEADER =
  /time|date|stamp|zeit|datum|epoch|unix|utc|clock|heure|hora|fecha|\bts\b|日付|日期|日時|時刻|時間|时间|时刻/i;

/** Headers of a time that counts: Time [s], t_ms, Elapsed, Run time, Sekunden, X_Value. */
const COUNTS =
  /^(?:.*[\s_.-])?(time|zeit|temps|tiempo|elapsed|duration|dauer|seconds?|secs?|sekunden|minutes?|minuten|x_value)\b|[a-z](?:Time|Elapsed|Seconds)\b/iu;
/** t, t_ms, t [s], T/min; a T of anything else is a temperature. */
const SHORT =
  /^(?:t|[tT][ _]?(?:s|sec|ms|min|h)|[tT]\s*[[(/,]\s*(?:s|secs?|seconds?|ms|msec|min|minutes?|h|hours?)\s*[\])]?)$/;
/** Headers of a time that is a setting or a result. */
const NO_COUNT = /exposure|dwell|integrat|response|cycle|on[\s_-]?time|off[\s_-]?time|life|delay|per\b|remain|left/i;
/** Words before "time" that leave it that of the line; a dose, a purge or a ramp has a time of its own. */
const OWN_TIME =
  /^(?:elapsed|ell?apsed|run(?:ning)?|process|recipe|total|relative|rel|since|start|test|log(?:ging|ged)?|record(?:ed|ing)?|meas(?:ure(?:ment|d)?|uring)?|acq(?:uisition)?|exp(?:eriment)?|growth|dep(?:osition)?|sample|sampling|system|sys|plc|pc|tool|machine|scan|session|data|sensor|lab|local|real|lauf|mess|prozess|gesamt|abs(?:olute)?|cum(?:ulative)?|date|time|the|x|t|\W*)$/i;

/** True for the name of a time, whether it tells an instant or counts. */
export function isTimeName(cell: string): boolean {
  return TIME_HEADER.test(cell) || isCountHeader(cell);
}

/** True for the header of a time that counts. */
export function isCountHeader(header: string): boolean {
  return (COUNTS.test(header) || SHORT.test(header.trim())) && !NO_COUNT.test(header);
}

/** True for the header of a time that may be one of something else: Dose Time, Purge time (s). */
export function isForeignTime(header: string): boolean {
  const before = /^(.*?)(?:time|zeit|temps|tiempo)\b/i.exec(header)?.[1];
  return (
    isCountHeader(header) && before !== undefined && !before.split(/[\s_.()[\]-]+/).every((word) => OWN_TIME.test(word))
  );
}
