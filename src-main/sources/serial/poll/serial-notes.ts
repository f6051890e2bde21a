// What a serial source reports about itself. One function a message, so that codes and texts stand in one place.
import { formatBytes, formatDuration } from '../../../model/format.ts';
import type { SourceNote } from '../../source.ts';
import { lookAtShown } from '../protocol/bytes.ts';

type Level = SourceNote['level'];

const note = (level: Level, code: string, message: string, hint = ''): SourceNote => ({ level, code, message, hint });

/** Bytes that could not be read: as `showBytes` shows them, and why. */
export interface Unread {
  readonly shown: string;
  readonly reason: string;
}

/** Name the bytes, and what to do: a wrong baud rate leaves bytes that are no text. */
export function tellUnread({ shown, reason }: Unread): { readonly text: string; readonly hint: string } {
  const { isText, count } = lookAtShown(shown);
  const came = `${count} ${count === 1 ? 'byte' : 'bytes'} came`;
  if (isText) {
    const hint =
      'Compare the reply rule and the line end of the profile with this text, and look which instrument it is.';
    return { text: `${came}, ${reason}: \`${shown}\``, hint };
  }
  const hint = 'Baud rate, data bits and parity must be those of the instrument; else look at cable and ground.';
  return { text: `${came} that are no text: \`${shown}\``, hint };
}

export const serialNotes = {
  /** `unread`: the last bytes that were no reply; null when there were none. */
  silent: (sinceMs: number, everyMs: number, unread: Unread | null = null) => {
    const told = unread && tellUnread(unread);
    return note(
      'warning',
      'serial.silent',
      `No data for ${formatDuration(sinceMs)} (expected every ${formatDuration(everyMs)}).${told === null ? '' : ` ${told.text}.`}`,
      told === null
        ? 'Check that the instrument is on, its cable, its address and its line settings. Where it has never answered: stop the recording and run `probe` on its port.'
        : told.hint,
    );
  },
  answers: () => note('info', 'serial.silent', 'The instrument answers.'),
  /** `unread`: the last of them. */
  unreadable: (percent: number, unread: Unread) => {
    const { text, hint } = tellUnread(unread);
    return note(
      'warning',
      'serial.unreadable',
      `Unreadable ${percent} %: ${text}.`,
      `${hint} Nothing of it is stored.`,
    );
  },
  readable: () => note('info', 'serial.unreadable', 'Replies can be read again.'),
  outOfStep: () =>
    note(
      'warning',
      'serial.out-of-step',
      'Reply out of step, resynchronized: a late reply was dropped.',
      'If this comes often, the instrument needs more time: raise timing.timeout_ms in its profile.',
    ),
  overrun: (bytes: number) =>
    note(
      'warning',
      'serial.overrun',
      `Serial overrun: up to ${bytes} bytes lost.`,
      'This PC was too busy to read for a moment. The line at which it happened is dropped.',
    ),
  skipped: (bytes: number) =>
    note('info', 'serial.skipped', `${bytes} bytes without the beginning of their line were skipped.`),
  flood: (bytes: number) =>
    note(
      'warning',
      'serial.flood',
      `No line end in ${formatBytes(bytes)}.`,
      'Check the baud rate, and that this instrument is the one on the port.',
    ),
  moved: (from: string, to: string) =>
    note('info', 'serial.moved', `The instrument is now on ${to}, it was on ${from}.`),
  back: (place: string) => note('info', 'serial.connection', `Connected: ${place}.`),
  otherIdentity: (text: string, title: string) =>
    note(
      'warning',
      'serial.identity',
      `It answers "${text}", which is not known of ${title}.`,
      'Look whether the right instrument is on this port.',
    ),
  noUnit: (lookup: string) =>
    note(
      'warning',
      'serial.unit',
      `The instrument does not tell its unit (${lookup}).`,
      'Its readings wait for the unit, a minute at most; then they carry none until it tells one.',
    ),
  unit: (lookup: string, unit: string, was: string) =>
    note(
      'warning',
      'serial.unit',
      `The unit (${lookup}) was changed from ${was} to ${unit} on the instrument.`,
      'A new stream begins. What was read since the former unit was told last is a gap: nobody knows its unit.',
    ),
  slip: (channel: string, text: string) =>
    note(
      'warning',
      'serial.doubtful',
      `${channel}: "${text}" was not believed: a character was lost or added on the line.`,
      'Look at cable and ground; use a protocol with checksums if the instrument has one.',
    ),
  mute: (question: string) =>
    note(
      'warning',
      'serial.mute',
      `No reply to query ${question}; polling it less often. Other queries get replies.`,
      'If the instrument has no such thing, leave it out: see the options of its profile.',
    ),
  untold: (question: string) =>
    note(
      'warning',
      'serial.untold',
      `No status reply for ${question}; its readings are discarded.`,
      'Without its status a reading may be that of a broken sensor. If the instrument knows no such question, see the options of its profile.',
    ),
  line: (text: string) => note('warning', 'serial.said', `The instrument says: ${text}`),
  unverified: (facts: readonly string[]) =>
    note(
      'info',
      'serial.unverified',
      `Not verified on an instrument: ${facts.join('; ')}.`,
      'Compare the first values with its display.',
    ),
};
