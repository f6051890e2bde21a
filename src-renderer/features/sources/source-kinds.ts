import { IconCamera, IconFileText, IconPlug, IconWaveSine } from '@tabler/icons-react';
import type { SourceEntry } from '../../state/sources.ts';

type Kind = SourceEntry['kind'];

/** What the kinds of sources are called, and their pictures. */
export const kinds: Readonly<Record<Kind, { word: string; about: string; icon: typeof IconPlug }>> = {
  log: {
    word: 'Log folder',
    about: 'A folder in which the tool writes text logs. Its files are only read.',
    icon: IconFileText,
  },
  serial: {
    word: 'Instrument on a line',
    about: 'On a serial port or behind a terminal server. Only questions are ever sent.',
    icon: IconPlug,
  },
  rheed: {
    word: 'RHEED frame counter',
    about: 'The images, movie or counter that the RHEED camera writes: how many frames there are, and which are lost.',
    icon: IconCamera,
  },
  simulator: { word: 'Simulated growth', about: 'To try things on.', icon: IconWaveSine },
};

/** Where an entry reads, in a line. */
export function placeOf(entry: SourceEntry): string {
  const { path, port, counter } = entry as {
    path?: unknown;
    port?: unknown;
    counter?: { path?: unknown; port?: unknown };
  };
  const place = path ?? port ?? counter?.path ?? counter?.port ?? '';
  return typeof place === 'string'
    ? place
    : `USB adapter ${Object.values(place as object)
        .filter(Boolean)
        .join(', ')}`;
}
