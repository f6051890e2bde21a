// Why the reading of a file stopped at a line: nothing from there on is read until a person has looked, or until the file itself
// says how it goes on.
import { decodeText } from '../cells/encoding.ts';
import { isKeyed, newKeys } from '../cells/keyed-lines.ts';
import type { Problem, WatchedFile } from '../files/watched-file.ts';
import { tellHeader } from '../parse/header-again.ts';
import { MISFITS_MAX } from '../parse/misfit-run.ts';
import type { ParsedBlock } from '../parse/parsed-block.ts';
import { SKIPPED_HINT } from '../time/hour-watch.ts';

/** The place at which reading stopped. */
type Place = Pick<WatchedFile, 'path' | 'layout' | 'byte' | 'line'>;

/** Why a file is not read on behind a block; null: it is. */
export function whyStopped(
  there: Place,
  { stoppedAt, isMisfit, openHour }: ParsedBlock,
  bytes: Uint8Array,
  encoding: string,
  misfits: number,
): Problem | null {
  if (stoppedAt === null) return misfits >= MISFITS_MAX ? rowsChanged(there, new Uint8Array(), 'utf-8') : null;
  const rest = bytes.subarray(stoppedAt);
  if (openHour !== undefined) return hourOpen(there, rest, encoding, openHour);
  return isMisfit ? rowsChanged(there, rest, encoding) : columnsChanged(there, rest, encoding);
}

const TEXT_SHOWN = 300;
const short = (text: string) => (text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}...` : text);

/** Where reading stopped, how a message names that place, and the line there, whole and as it is shown. */
function stopOf({ byte, line }: Place, rest: Uint8Array, encoding: string) {
  const at = { byte, line: line === null ? null : line + 1 };
  const text = decodeText(rest.subarray(0, rest.indexOf(10)), encoding).trim();
  return { at, line: at.line === null ? `byte ${at.byte}` : `line ${at.line}`, text, shown: short(text) };
}

/** A stamp of the hour that is repeated or skipped where summer time ends or begins, and which instant it is nobody has said. */
function hourOpen(file: Place, rest: Uint8Array, encoding: string, open: 'twice' | 'never'): Problem {
  const { at, line, shown } = stopOf(file, rest, encoding);
  if (open === 'never') {
    return {
      code: 'log.hour-skipped',
      message: `The stamp of ${file.path} at ${line}, "${shown}", is of the hour that the beginning of summer time skips: the clock of the tool does not follow it, or was set late. Reading stopped there.`,
      hint: `Nothing is lost: the data wait in the file. ${SKIPPED_HINT} To paste into the source: dialect: { time: { zone: "${file.layout?.zone}" } }, or the offset in its place.`,
      at,
    };
  }
  return {
    code: 'log.hour-twice',
    message: `${file.path} goes at ${line}, "${shown}", through the hour that the end of summer time repeats, and nothing tells whether it is the first or the second one. Reading stopped there.`,
    hint: 'Nothing is lost: the data wait in the file. Say which: dialect: { time: { repeated_hour: first } } or dialect: { time: { repeated_hour: second } } at the source. If the clock of the tool does not follow summer time, say its zone as an offset instead, such as +01:00.',
    at,
  };
}

/** Lines that hold data and do not fit the rows before them: the columns change, or another program goes on. */
function rowsChanged(file: Place, rest: Uint8Array, encoding: string): Problem {
  const { at, line, shown } = stopOf(file, rest, encoding);
  return {
    code: 'log.columns-changed',
    message: `The rows of ${file.path} change at ${line}${shown === '' ? '' : `, "${shown}"`}: they hold data and do not fit the columns before. Reading stopped there.`,
    hint: 'Nothing is lost: the data wait in the file. Say on the page of the source how to read on: with the new columns, with new names for known channels, or not at all. Without a page: epistream answer, or columns_change: accept at the source.',
    at,
  };
}

/** The data wait in the file until a person has looked: names that move by a column would be silent otherwise. */
function columnsChanged(file: Place, rest: Uint8Array, encoding: string): Problem {
  const { at, line, text, shown } = stopOf(file, rest, encoding);
  const told = file.layout === null ? null : tellHeader(text, file.layout);
  // The header of a segment that comes again in a place where it cannot be read on tells other units.
  const isOther = told === 'changed' || (told === 'header' && file.layout?.heads !== undefined);
  if (file.layout?.partDigits !== undefined && told === null) {
    return {
      code: 'log.second-part-unclear',
      message: `The part of a second in ${file.path} has fewer digits from ${line} on, "${shown}": it may be a count without zeros in front. Reading stopped there.`,
      hint: `Nothing is lost: the data wait in the file. Name its time format under dialect, and read the file again: ${file.layout.timeFormat} if it is a fraction; with ${'I'.repeat(file.layout.partDigits)} for the part of a second, such as yyyy-MM-dd HH:mm:ss.${'I'.repeat(file.layout.partDigits)}, if it is a count.`,
      at,
    };
  }
  if (file.layout?.areHalvesOpen === true && !isOther) {
    return {
      code: 'log.hours-unclear',
      message: `The time of ${file.path} goes back by half a day at ${line}, "${shown}": its hours seem to count to 12, and no AM or PM says which half of the day it is. Reading stopped there.`,
      hint: 'Nothing is lost: the data wait in the file. Let the tool write AM and PM, or 24 hours, into a new file. If its clock was set back there, read the file again with its time format named under dialect.',
      at,
    };
  }
  if (file.layout !== null && !isOther) {
    return {
      code: 'log.time-again',
      message: `The time of ${file.path} begins again at ${line}, "${shown}", and the file does not say from when. Reading stopped there.`,
      hint: 'Nothing is lost: the data wait in the file. Let the tool begin a new file for each run, or leave this one out.',
      at,
    };
  }
  if (file.layout !== null && isKeyed(file.layout.delimiter) && newKeys(text, file.layout.delimiter).length > 0) {
    return {
      code: 'log.new-channel',
      message: `${file.path} names a new channel at ${line}: ${newKeys(text, file.layout.delimiter).join(', ')}.`,
      hint: 'Epistream reads it from then on.',
      at,
    };
  }
  return {
    code: 'log.columns-changed',
    message: `The columns of ${file.path} change at ${line}: from "${short(file.layout?.headerText ?? '')}" to "${shown}". Reading stopped there.`,
    hint: 'Nothing is lost: the data wait in the file. Say on the page of the source how to read on: with the new columns, with new names for known channels, or not at all. Without a page: epistream answer, or columns_change: accept at the source.',
    at,
  };
}
