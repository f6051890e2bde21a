// Makes the layout of a file from its head: what the dialect says is taken as said, what it leaves to `auto` is
// recognised, each step with its reason. Nothing is guessed where a wrong guess would be silent: an ambiguous date order
// or decimal mark, or a header that does not fit the rows, is a question to a person and the file waits.
import type { Dialect } from '../../../model/dialect.ts';
import { splitCells } from '../cells/cells.ts';
import { decodeText, detectEncoding, type Encoding } from '../cells/encoding.ts';
import { frameLines } from '../cells/framer.ts';
import { isKeyed, type Keyed, packKeyed, unpackKeyed } from '../cells/keyed-lines.ts';
import { byPattern, isPattern } from '../cells/pattern-split.ts';
import { shownLine } from '../cells/shown-line.ts';
import { takeAffixes } from '../columns/affixes.ts';
import { findGrouped, markWhole } from '../columns/grouped-digits.ts';
import { findNameColumns } from '../columns/name-column.ts';
import { takeNamedCells } from '../columns/named-cells.ts';
import { takeQualities } from '../columns/quality-columns.ts';
import { unitFormat } from '../columns/relative-columns.ts';
import { partDigits } from '../columns/second-parts.ts';
import { joinTimeCells, ownRows } from '../columns/time-columns.ts';
import { takeWordColumns } from '../columns/word-columns.ts';
import { isDataLine } from '../parse/data-line.ts';
import { tellHeader } from '../parse/header-again.ts';
import { isStreamed, type Layout } from '../parse/layout.ts';
import { areAligned } from '../parse/shifted-cells.ts';
import { START_WORDS } from '../time/found-start.ts';
import { ZoneClock } from '../time/zone-clock.ts';
import { completeAnswers, withAnswers, writeAnswers } from './answers.ts';
import { type Cut, type Line, ROWS_MAX } from './cut.ts';
import { shippedDialects } from './dialect-library.ts';
import { findDoubt, qualityUnclear } from './doubts/doubts.ts';
import {
  cutEvents,
  holdReadings,
  isEventFile,
  isMeasured,
  isProse,
  isTable,
  isWordy,
  mayBeSentences,
} from './event-cut.ts';
import { settleEvents } from './event-layout.ts';
import { askEvents, askFormat, explainNoTime } from './explain-no-time.ts';
import { findKeyed, keyedRows } from './find-keyed.ts';
import { findHeader, type HeaderChoice, type Undecided, undecided } from './header-line.ts';
import { doubtEncoding, refuseForm, refuseInflux, refuseReturns } from './known-forms.ts';
import { judgeColumns, makeLayout, nameByFile, startIn, startOfDay } from './make-layout.ts';
import { pairColumns } from './pair-columns.ts';
import { findFullerRow, findPassedRow, rowsDiffer } from './passed-rows.ts';
import type { Recognised, Settled } from './recognised.ts';
import { isLvm, settleLvm } from './settle-lvm.ts';
import { isScope, settleScope } from './settle-scope.ts';
import {
  chooseFormat,
  doubtCount,
  doubtEnd,
  doubtTime,
  doubtUnit,
  findStart,
  type Head,
  spanOf,
} from './settle-time.ts';
import { isTimeOfDay, listCuts } from './table-cut.ts';
import { doubtHours, settleHour, settleZone, slowStep } from './told-zone.ts';
import { keepTried } from './try-answers.ts';
import { doubtFactors, takeUnitColumns } from './unit-columns.ts';
import { doubtDay, settleZero } from './witnesses.ts';

/** Lines that are looked at first. */
const FIRST_LINES = 300;
/** Lines from the end of those that are not looked at. */
const LATER_LINES = 20;

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/**
 * Recognise the layout of a file.
 *
 * @param given - the dialect.
 * @param timeZone - the zone for stamps that carry none.
 * @returns the layout with its reasons, or why there is none and what would settle it.
 * @throws throws AgentError only for a dialect that cannot be used (`log.time-format-unknown`, ...).
 */
export function recogniseLayout(head: Head, given: Dialect, timeZone: string): Recognised | Undecided {
  const found = recogniseHead(head, given, timeZone);
  if (!('layout' in found)) {
    const whole = completeAnswers(found, given);
    return writeAnswers(keepTried(whole, head.bytes, (dialect) => recogniseHead(head, dialect, timeZone)));
  }
  const { layout, dataByte } = found;
  if (given.encoding !== 'auto' || layout.encoding !== 'windows-1252') return found;
  const doubt = doubtEncoding(isKeyed(layout.delimiter) ? head.bytes : head.bytes.subarray(0, dataByte), head.path);
  return doubt === null ? found : withAnswers(doubt, given);
}

function recogniseHead(head: Head, given: Dialect, timeZone: string): Recognised | Undecided {
  const dialect = byPattern(given);
  const encoding = detectEncoding(head.bytes, dialect.encoding);
  if (encoding === null) {
    return undecided(
      'log.not-text',
      `${head.path} is not a text log.`,
      'Leave it out with a narrower match, or name its encoding.',
    );
  }
  const lines = readLines(head.bytes, encoding);
  const unended = lines.length === 0 ? refuseReturns(head.bytes, head.path) : null;
  if (unended !== null) return unended;
  // Most files tell by their first lines; the others are worth the time that all of them take.
  if (lines.length > 2 * FIRST_LINES) {
    const laterLines = [...lines.slice(-LATER_LINES).map(({ text }) => text), ...head.laterLines];
    const nextLines = lines.slice(FIRST_LINES).map(({ text }) => text);
    const first = { lines: lines.slice(0, FIRST_LINES), head: { ...head, laterLines, nextLines } };
    const found = recogniseLines({ ...first, dialect, timeZone, encoding });
    if ('layout' in found) return found;
  }
  return recogniseLines({ lines, head, dialect, timeZone, encoding });
}

function recogniseLines(settled: Settled): Recognised | Undecided {
  const { head, lines, dialect } = settled;
  const refused = dialect.name === 'auto' ? refuseForm(lines, head.path) : null;
  if (refused !== null) return refused;
  if (isLvm(settled)) return settleLvm(settled);
  if (isScope(settled)) return settleScope(settled);
  if (isEventFile(dialect, head.path)) {
    const events = cutEvents(lines, dialect);
    return events === null ? explainNoTime(lines, head, dialect) : settleEvents(events, settled);
  }
  const influx = dialect.delimiter === 'auto' ? refuseInflux(lines, head.path) : null;
  if (influx !== null) return influx;
  const keyed = dialect.delimiter === 'auto' ? findKeyed(lines) : null;
  const named = keyed === null ? null : settleKeyed(keyed, settled);
  if (named !== null) return named;
  const cuts = listCuts(lines, dialect);
  // Sentences of as many words each can be cut at their blanks, and are no table.
  const isCutAtBlanks = dialect.delimiter === 'auto' && cuts[0]?.delimiter === 'whitespace';
  const prose = isCutAtBlanks && dialect.numeric.length === 0 ? cutEvents(lines, dialect) : null;
  if (prose !== null && isProse(prose)) {
    return holdReadings(prose) ? explainNoTime(lines, head, dialect, prose) : settleEvents(prose, settled);
  }
  const found = settleBest(cuts, settled);
  if (found !== null && (!('layout' in found) || !isOnlyText(found))) {
    const isOpen = 'layout' in found && prose !== null && mayBeSentences(prose);
    return isOpen ? askEvents(prose, found.kinds, head.path) : found;
  }
  const events = cutEvents(lines, dialect);
  const [table] = cuts;
  const worded = events ?? table ?? null;
  // A count of seconds is told from other numbers by the words behind it alone.
  const isStamped = table !== undefined && worded?.time.needs !== 'start';
  // Without words in its lines nothing speaks for events.
  if (worded === null || isMeasured(worded)) return explainNoTime(lines, head, dialect);
  const isEvents = !isTable(worded, lines, dialect) && !holdReadings(worded) && (isStamped || isWordy(worded));
  if (isEvents) return settleEvents(worded, settled);
  return explainNoTime(lines, head, dialect, events);
}

/** A cut that fits a little less is looked at only where the header does not fit the better one. */
function settleBest(cuts: readonly Cut[], settled: Settled): Recognised | Undecided | null {
  const [best, ...others] = cuts;
  if (best === undefined) return null;
  const found = settle(best, settled);
  if (!('code' in found) || found.code !== 'log.header-mismatch') return found;
  for (const cut of others) {
    if (cut.fit < best.fit - 0.2) break;
    const other = settle(cut, settled);
    if ('layout' in other) return other;
  }
  return found;
}

function readLines(bytes: Uint8Array, encoding: Encoding): Line[] {
  const frame = frameLines(bytes, 0, encoding);
  const lines: Line[] = [];
  const textEncoding = encoding.unitBytes === 2 ? 'utf-8' : encoding.name;
  for (let begin = 0; begin < frame.bytes.length; ) {
    const end = frame.bytes.indexOf(10, begin);
    const text = decodeText(frame.bytes.subarray(begin, end), textEncoding);
    lines.push({ text: text.replace(/^[\uFEFF\f]+/, '').replace(/\r+$/, ''), byte: frame.fileByteOf(begin) });
    begin = end + 1;
  }
  return lines;
}

/** No column holds numbers, or may come to hold some. */
function isOnlyText({ kinds }: Recognised): boolean {
  return !kinds.some((kind) => isStreamed(kind) || kind === 'open' || kind === 'ignored') && kinds.includes('text');
}

/** The layout of lines that name their own values; null when they cannot be read so. */
function settleKeyed(keyed: Keyed, settled: Settled): Recognised | Undecided | null {
  const { form, keys } = keyed;
  const units = { ...(form === 'rows' ? keyed.units : {}), ...settled.dialect.units };
  const given: Dialect = { ...settled.dialect, delimiter: packKeyed(keyed), header: [...keys], units };
  const found = settleBest(listCuts(settled.lines, given), { ...settled, dialect: given });
  if (found === null || !('layout' in found)) return found;
  return isOnlyText(found) ? null : found;
}

/** The layout of the lines above another header; null when they have none, or reading would not stop at that header. */
function settleAbove(line: number, delimiter: string, settled: Settled): Recognised | null {
  // The last change is that of the last line of all, and says nothing about these.
  const head = { ...settled.head, modifiedMs: 0 };
  const found = recogniseLines({ ...settled, head, lines: settled.lines.slice(0, line) });
  // Hardly any row may stand above: too few to be told from events.
  if (!('layout' in found) || found.layout.eventText !== null) return null;
  // Few rows are cut in many ways: the one that is the tool's cuts those below as well.
  if (found.layout.delimiter !== delimiter) return null;
  return tellHeader((settled.lines[line]?.text ?? '').trim(), found.layout) === 'changed' ? found : null;
}

function settle(cut: Cut, settled: Settled): Recognised | Undecided {
  const { lines, head, dialect, timeZone, encoding } = settled;
  const { rows, first, width, time, decimal, delimiter } = cut;
  const fitting = rows.slice(first).filter((row) => row.length === width);
  // A sentence has as many words as the rows have cells by chance.
  const isTimeOnly = time.needs === 'day' || isTimeOfDay(dialect);
  const timed = ownRows(time, fitting.slice(0, ROWS_MAX), decimal, isTimeOnly);
  const data = timed.length > 0 ? timed : fitting.slice(0, ROWS_MAX);
  const further = head.laterLines.map((line) => splitCells(line, delimiter)).filter((row) => row.length === width);
  // The last row tells when the file ends: witnesses lie near it.
  const later = [...fitting.slice(ROWS_MAX).slice(-LATER_LINES), ...further];
  const reasons = [
    isKeyed(delimiter)
      ? `each line names its values: ${width - 1} names in ${data.length} lines`
      : isPattern(delimiter)
        ? `the pattern of the dialect: ${data.length} lines of ${width} groups`
        : `separator ${SEPARATOR_NAMES[delimiter] ?? `"${delimiter}"`}: ${data.length} lines of ${width} cells`,
    ...(decimal === ',' ? ['decimal comma'] : []),
  ];
  const isMarkOpen = dialect.decimal === 'auto';
  // A tool that writes 20.11.2026 writes thousands with a point.
  const isGerman = time.formats.some((one) => /^(?:EEE,? )?dd\.MM\.yy/.test(one));
  const isForeign = isGerman || head.hasWholeBefore === true;
  const shown = isMarkOpen ? findGrouped(data, time.columns, decimal, isForeign) : null;
  if (shown !== null) {
    const mark = decimal === ',' ? 'comma' : 'point';
    const [small, large] = [shown.replace(decimal, '.'), shown.replaceAll(decimal, '')];
    return undecided(
      'log.decimal-mark-ambiguous',
      `The ${mark} in the numbers of ${head.path} may be its decimal mark or group the digits of thousands: "${shown}" is ${small} or ${large}.`,
      `If it is the decimal mark, say so. Grouped digits are not read: let the tool write ${large}.`,
      false,
      // Beside a decimal mark of the other kind it groups.
      holdsMark(data, time.columns, decimal === ',' ? '.' : ',') ? [] : [{ decimal: mark }],
    );
  }
  const format = chooseFormat(cut, lines, head, dialect, [...data, ...later]);
  if ('code' in format) return format;
  reasons.push(`time in column ${time.columns.map((c) => c + 1).join(' and ')} as ${format.format} (${format.reason})`);
  const isAskedAbove = dialect.preamble === 'auto' && !isPattern(delimiter);
  const header = findHeader(cut, lines, dialect, head.path);
  if ('code' in header && header.code === 'log.header-unclear' && isAskedAbove) {
    const above = findPassedRow(cut, { line: null }, lines);
    if (above !== -1) return rowsDiffer(cut, lines, above, head.path);
  }
  if ('code' in header) return header;
  const passed = isAskedAbove ? findPassedRow(cut, header, lines) : -1;
  if (passed !== -1) {
    // The columns change below: read as far as they are the same, the rest waits for a person.
    const above = header.line !== null && header.line > passed ? settleAbove(header.line, delimiter, settled) : null;
    // Which half of the day the lines above are of, those below may tell.
    const isHalf = above?.layout.areHalvesOpen === true;
    const asked = isHalf ? doubtHours(cut, format.format, head, dialect, [...data, ...later], timeZone) : false;
    if (typeof asked !== 'boolean') return asked;
    return above ?? rowsDiffer(cut, lines, passed, head.path);
  }
  const fuller = findFullerRow(cut, format.format);
  if (fuller !== -1 && dialect.preamble === 'auto') return rowsDiffer(cut, lines, fuller, head.path);
  const factors = doubtFactors(cut, header, head.path, dialect);
  if (factors !== null) return factors;
  reasons.push(header.line === null ? 'no header line' : `header in line ${header.line + 1}`);
  reasons.push(...tellLeftOut(lines.slice(0, first), header));
  const zone = settleZone(cut, header, lines, head.path, dialect, timeZone, format.format);
  if (typeof zone !== 'string') return zone;
  if (dialect.time.format === 'auto' && format.format === 'labview-seconds') {
    const before = lines.slice(0, first).map(({ text }) => text);
    const span = spanOf(format.format, [...data, ...later], time.columns, decimal);
    const own = spanOf(format.format, data, time.columns, decimal);
    const stepMs = (own.lastMs - own.firstMs) / Math.max(1, data.length - 1);
    const shown = joinTimeCells(data[0] ?? [], time.columns);
    const zero = settleZero(shown, span, before, head, new ZoneClock(zone), stepMs);
    if (typeof zero !== 'string') return zero;
    if (zero !== format.format) reasons.push(`its seconds are of the clock on the wall: ${zero}`);
    format.format = zero;
  }
  const all = [...data, ...fitting.slice(ROWS_MAX), ...further];
  const halves = doubtHours(cut, format.format, head, dialect, all, zone);
  if (typeof halves !== 'boolean') return halves;
  const settledLayout: Layout = {
    ...makeLayout(cut, header, format.format, dialect, zone, encoding, lines),
    ...slowStep(cut, format.format, data, dialect),
  };
  const plain: Layout = halves ? { ...settledLayout, areHalvesOpen: true } : settledLayout;
  const isUnitOpen = time.needs === 'start' && dialect.time.format === 'auto';
  const unit = isUnitOpen ? unitOfTime(plain) : null;
  const counted = format.format === 'relative-seconds' ? (unit ?? format.format) : format.format;
  const start = findStart(cut, lines, head, dialect, zone, all, counted);
  // A time of day may stand behind the day of a year.
  const asked = start !== null && 'code' in start && start.code === 'log.no-start' ? askFormat(lines, head.path) : null;
  if (start !== null && 'code' in start) return asked ?? start;
  const doubtful = doubtTime(cut, counted, start, lines, head, dialect, [...data, ...later]);
  if (doubtful !== null) return doubtful;
  const unclear =
    start === null
      ? null
      : (doubtDay(cut, header.cells, start, head, dialect, data) ??
        doubtCount(cut, counted, start, head, dialect, [...data, ...later]) ??
        doubtEnd(cut, counted, start, lines, head, dialect, zone, all));
  if (unclear !== null) return unclear;
  if (start !== null)
    reasons.push(`begins at ${new Date(start.instantMs).toISOString()} by ${START_WORDS[start.from]}`);
  const timeFormat = start?.isElapsed === true ? 'relative-time' : counted;
  if (timeFormat !== counted)
    reasons.push('its times count from there: as times of day they fit neither the start nor the last change');
  const begin = Math.max(header.last + 1, typeof dialect.preamble === 'number' ? dialect.preamble : 0);
  const dataLine = header.last === -1 && typeof dialect.preamble !== 'number' ? first : begin;
  const judged = judgeColumns(plain, data, dialect);
  if (dialect.names === 'file') nameByFile(plain, judged, head.path);
  const worded = takeWordColumns(plain, judged, dialect);
  const affixed = takeAffixes({ ...worded.layout, timeFormat }, worded.kinds, data);
  const taken = takeQualities(affixed.layout, affixed.kinds, data, dialect);
  if ('words' in taken) return qualityUnclear(taken, affixed.layout, head.path);
  const isLong = isMarkOpen && !isKeyed(delimiter);
  const nameColumns = isLong ? findNameColumns(taken.layout, taken.kinds, [...data, ...later]) : [];
  if (nameColumns.length > 0) {
    const keyed = keyedRows(cut, taken.layout, taken.kinds, nameColumns);
    const unpivoted =
      keyed === null ? null : settleKeyed(keyed, { ...settled, head: { ...head, settledFormat: format.format } });
    if (unpivoted !== null) return unpivoted;
  }
  const next = () => [...fitting, ...(head.nextLines ?? []).map((line) => splitCells(line, delimiter))];
  const hour = settleHour(cut, timeFormat, all, next, zone, dialect, head, start);
  if ('code' in hour) return hour;
  const began = startIn(hour, start, zone);
  const parts = dialect.time.format === 'auto' ? partDigits(data.map((row) => joinTimeCells(row, time.columns))) : {};
  const begun: Layout = { ...taken.layout, ...startOfDay(began, timeFormat), ...hour, ...parts };
  const pairs = pairColumns(begun, taken.kinds, data);
  if (pairs !== null) reasons.push(`${pairs.layout.timeColumns.length} groups of columns, each with its own time`);
  const chosen = new Set(data);
  const sample = { rows: data, lines: lines.filter((_, at) => chosen.has(rows[at] ?? [])).map(({ text }) => text) };
  const doubt = pairs !== null ? null : findDoubt(begun, taken.kinds, sample, head.path, dialect);
  if (doubt !== null) return doubt;
  const measured = pairs ?? takeUnitColumns(begun, taken.kinds, sample, head.path);
  if ('code' in measured) return measured;
  const named = pairs ?? takeNamedCells(measured.layout, measured.kinds, data);
  // Numbers of JSON have one mark.
  const isTold = isPattern(delimiter) || (isKeyed(delimiter) && unpackKeyed(delimiter).form === 'json');
  const isWholeOpen = isMarkOpen && pairs === null && !isTold;
  const whole = isWholeOpen ? markWhole(named.kinds, data, decimal) : null;
  const kinds = whole ?? named.kinds;
  const isSecondsAssumed = isUnitOpen && timeFormat === 'relative-seconds' && unit === null;
  const unsure = isSecondsAssumed && start !== null ? doubtUnit(cut, start, head, [...data, ...later]) : null;
  if (unsure !== null) return unsure;
  const assumed = { start: time.needs !== undefined, seconds: isSecondsAssumed };
  const dataByte = lines[dataLine]?.byte ?? 0;
  const told =
    typeof dialect.preamble === 'number' ? lines.slice(0, dataLine).filter(({ text }) => isDataLine(text)) : [];
  if (told.length > 0) reasons.push(`preamble passes over ${told.length} lines that hold data`);
  const texts = (delimiter === 'whitespace' ? lines.slice(dataLine) : []).filter(
    ({ text }) => splitCells(text, delimiter).length === width,
  );
  const isAligned = areAligned(
    named.layout.headerText,
    width,
    texts.map(({ text }) => text),
  );
  const layout: Layout = {
    ...named.layout,
    ...(isAligned && { isAligned }),
    ...(whole?.some((kind) => kind === 'whole' || kind === 'affixed-whole' || kind === 'open') && { isMarkOpen: true }),
    ...(told.length > 0 && isOwnPreamble(dialect) && { isPassing: true }),
  };
  reasons.push(`stamps that carry no zone are of ${layout.zone}`, describeUnits(layout));
  return { layout, kinds, dataByte, dataLine, startFrom: start?.from ?? null, assumed, reasons };
}

/** A number with this decimal mark stands in the rows. */
function holdsMark(data: Cut['rows'], timeColumns: readonly number[], mark: '.' | ','): boolean {
  const number = mark === ',' ? /^[+-]?\d+,\d+$/ : /^[+-]?\d+\.\d+$/;
  return data.some((row) => row.some((cell, column) => !timeColumns.includes(column) && number.test(cell)));
}

/** The lines above the rows of which nothing is taken: no names, no units. */
function tellLeftOut(above: readonly Line[], { line, units }: HeaderChoice): string[] {
  const isTaken = (at: number) => line !== null && (at === line || (units.length > 0 && Math.abs(at - line) === 1));
  const left = above.filter(({ text }, at) => text.trim() !== '' && !isTaken(at));
  const [first] = left;
  if (first === undefined) return [];
  const which = left.length === 1 ? '1 other line above the rows is' : `${left.length} other lines above the rows are`;
  return [`${which} left out: ${shownLine(first.text)}${left.length === 1 ? '' : ' ...'}`];
}

/** A person has said where the rows begin: of a shipped dialect it is known what stands above. */
function isOwnPreamble({ name, preamble }: Dialect): boolean {
  return shippedDialects().find((shipped) => shipped.name === name)?.preamble !== preamble;
}

function describeUnits({ columns }: Layout): string {
  const units = [...new Set(columns.map(({ unit }) => unit).filter((unit) => unit !== ''))];
  return units.length === 0 ? 'no units' : `units ${units.slice(0, 10).join(', ')}${units.length > 10 ? ', ...' : ''}`;
}

/** The unit of a time that counts, by its header or by a line of units, as its format; null: none is told. */
function unitOfTime({ columns, timeColumns }: Layout): string | null {
  const { unit = '', header = '' } = columns[timeColumns[0] ?? 0] ?? {};
  return unitFormat(unit) ?? unitFormat(header);
}
