// What a log source remarks of its files, columns and channels: a row for each code. `{}` stands for the list of those that a
// remark is about. `npx n24 test/support/message-rows.ts` writes them into the page for operators.
import type { Remark } from './note-board.ts';

export const REMARKS = {
  'log.file-restarted': {
    level: 'warning',
    text: 'Restarted or replaced: {}. Data already read is kept.',
    hint: 'The tool began its log again. Lines written between the last look and the restart may be missing: see the gaps.',
  },
  'log.file-lost': {
    level: 'warning',
    text: 'Removed while they were being written: {}. Lines after the last look are missing.',
    hint: 'Keep old logs for a while before they are deleted.',
  },
  'log.rotated-missing': {
    level: 'warning',
    text: 'Missing in the chain of rotated files: {}. What stood there was not read.',
    hint: 'Put them back under a name that the match asks for, and keep rotated files until they are read.',
  },
  'log.packed': {
    level: 'warning',
    text: 'Compressed before their logs were read to the end, perhaps: {}. These files are not read.',
    hint: 'Unpack them in the folder under a name that the match asks for: what is not read yet is read then. Have logs compressed one rotation later (delaycompress in logrotate), or by gzip.',
  },
  'log.hole': {
    level: 'info',
    text: 'Skipped NUL bytes at the start of: {}.',
    hint: 'Their program writes on where it stood after its log was cut by another one. Have the log renamed instead; in logrotate, leave out copytruncate.',
  },
  'log.same-content': {
    level: 'info',
    text: 'Not read again, same content as a file that is read already: {}.',
    hint: 'Keep copies outside the watched folder.',
  },
  'log.rotated-by-renaming': {
    level: 'info',
    text: 'Rotated by renaming: {}. What is written, rotated and deleted between two looks is in no file, and no gap shows it.',
    hint: 'Looks are a second apart at most. Keep rotated files longer than that, best for days.',
  },
  'log.rotated-by-copying': {
    level: 'info',
    text: 'Rotated by a copy, after which the log is cut: {}. Lines written between the two are in no file, and no gap shows them.',
    hint: 'Have the log renamed instead; in logrotate, leave out copytruncate.',
  },
  'log.file-held': {
    level: 'warning',
    text: 'Held by another program or not readable now, waiting: {}.',
    hint: 'It is tried again at each look, and nothing of it is lost. If it stays: let the other program open its log for shared reading, give this user the right to read it, or check the disk.',
  },
  'log.link-refused': {
    level: 'warning',
    text: 'Links that are not followed, by where they lead: {}.',
    hint: 'Let each lead to a file in the watched folder, or watch the folder it leads to as a source of its own.',
  },
  'log.name-unreadable': {
    level: 'warning',
    text: 'The names of these files are not valid Unicode, so they cannot be opened: {}.',
    hint: 'Rename them, or mount the share with the right character set.',
  },
  'log.name-qualified': {
    level: 'info',
    text: "Channels that other files name too carry their file's name: {}.",
    hint: 'Nothing is mixed; check in the tool whether a header is wrong.',
  },
  'log.saved-again': {
    level: 'warning',
    text: 'These logs were saved again with rows that were read before, and are read on behind them: {}.',
    hint: 'An editor or a spreadsheet wrote the whole log again, or old lines were cut away. Rows that were changed are not sent again. Let no program but the tool write its log.',
  },
  'log.names-of-former': {
    level: 'info',
    text: 'No header after truncation; previous column names kept: {}.',
    hint: 'Right where the log was cut while its tool held it open. Where the columns are others now, name them under dialect: header.',
  },
  'log.run-continues': {
    level: 'info',
    text: 'These files continue the channels of the runs before them, by name, columns and time: {}.',
    hint: 'Right for files that are named by run. Where each is a thing of its own, set runs: apart at the source.',
  },
  'log.runs-overlap': {
    level: 'error',
    text: 'Files that share channels as runs of one log are written at the same time: {}.',
    hint: 'They are no runs of one log. Set runs: apart at the source: then each has channels of its own from there on.',
  },
  'log.start-from-file': {
    level: 'warning',
    text: 'The modification time of these files stands for their last line, since they tell no start: {}.',
    hint: 'Right while the tool itself writes them. A copied file has lost it: then set under dialect: time: start where the start stands.',
  },
  'log.starts-differ': {
    level: 'warning',
    text: 'The modification times of the files of a run do not agree: {}. Its start was taken from the earliest.',
    hint: 'The files were copied, it seems, and lost their times: set dialect: time: start from the name of the folder, if it tells it.',
  },
  'log.start-found': {
    level: 'info',
    text: 'The time of these files counts from a start that was found: {}.',
    hint: 'If that is wrong, set under dialect: time: start where it stands.',
  },
  'log.time-unit-assumed': {
    level: 'warning',
    text: 'The time of these files was taken for seconds, as its header names no unit: {}.',
    hint: 'Set dialect: time: format to relative-seconds, -ms, -minutes or -hours to settle it.',
  },
  'log.times-counted': {
    level: 'warning',
    text: 'The rows of these files write no time: they are counted from the start and by the step in their heads: {}.',
    hint: 'A pause that the program made is not seen so. Let it write the time of each row (in LabVIEW: X_Columns One).',
  },
  'log.stamps-shared': {
    level: 'warning',
    text: 'Rows share a timestamp (time resolution too low): {}. Row order is kept.',
    hint: 'Let the tool write parts of a second, such as 10:15:00.250. Where a column of the log holds them, name both under dialect: time, such as column: [Time, ms] with format: yyyy-MM-dd HH:mm:ss III.',
  },
  'log.columns-left-out': {
    level: 'info',
    text: 'Columns of text are not streamed: {}.',
    hint: 'A column that holds numbers after all can be named under dialect: numeric.',
  },
  'log.events': {
    level: 'info',
    text: 'Kept as marks, since their lines are words: {}.',
    hint: 'Marks stay in this agent. A log whose numbers are missed needs a dialect that says how it is written.',
  },
  'log.line-too-long': {
    level: 'warning',
    text: 'Lines longer than 1 MiB were skipped: {}.',
    hint: 'This is probably not a text log; exclude it with a narrower match.',
  },
  'log.line-pending': {
    level: 'warning',
    text: 'The last line has no line end yet and was not delivered: {}.',
    hint: 'It is read when the tool has finished it, or when the file has not changed for a day and Epistream has watched it for 10 s.',
  },
  'log.nothing-read': {
    level: 'info',
    text: 'Nothing was read of these files, which hold no line with data yet: {}.',
    hint: 'Right for a log that has only its head. Else describe its lines under dialect.',
  },
  'log.line-grown': {
    level: 'warning',
    text: 'A last line without a line end was read after a day, and has grown since: {}.',
    hint: 'The added text was ignored. Check that the last value is complete.',
  },
  'log.lines-refused': {
    level: 'error',
    text: 'Many lines of these files do not fit and are refused: {}. What they hold is missing.',
    hint: 'Look at the refused cells in the receipt of its stream (page Streams): the file is probably not written as its dialect says. Correct the dialect, and have the file read again.',
  },
  'log.number-in-text-column': {
    level: 'warning',
    text: 'Numbers appeared in columns that are left out as text: {}. They are kept as refused cells.',
    hint: 'Name the column under dialect: numeric to stream it.',
  },
  'log.clock-change': {
    level: 'info',
    text: 'Clock change handled: the hour that comes twice was settled by the order of lines in {}.',
    hint: '',
  },
  'log.time-not-existing': {
    level: 'warning',
    text: 'Stamps fall into the hour that the clock change leaves out: {}. They were read with the offset before it.',
    hint: "The tool's clock may not follow daylight saving: then give its zone as a fixed one, such as Etc/GMT-1.",
  },
  'log.channels-stopped': {
    level: 'warning',
    text: 'Stopped, while other files of the folder go on: {}.',
    hint: 'Look whether the tool still logs it: its sensor, its cable, its logging.',
  },
} as const;

/** Codes of the remarks of a log source. */
export type RemarkCode = keyof typeof REMARKS;

/** The remark of a code. */
export function remarkOf(code: RemarkCode): Remark {
  const { level, text, hint } = REMARKS[code];
  return { level, hint, say: (subjects) => text.replace('{}', () => subjects) };
}
