import type { Sentence } from '../../../src-main/contract/snapshot.ts';

export type Tone = Sentence['tone'];

const names: Readonly<Record<Tone, string>> = {
  ok: 'All is well',
  busy: 'Busy, safe here',
  attention: 'Needs attention',
  stopped: 'Stopped',
};

/** A disc with a tick, a ring with a rising arrow, a triangle with a bang, a square: four outlines, not four colours. */
const shapes: Readonly<Record<Tone, React.ReactNode>> = {
  ok: (
    <>
      <circle cx="12" cy="12" r="11" fill="currentColor" />
      <path d="M6.5 12.5l3.8 3.8 7.2-8" fill="none" stroke="var(--surface)" strokeWidth="2.6" strokeLinecap="round" />
    </>
  ),
  busy: (
    <>
      <circle cx="12" cy="12" r="9.7" fill="none" stroke="currentColor" strokeWidth="2.6" />
      <path d="M12 17V7.5m-4 3.8l4-4 4 4" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    </>
  ),
  attention: (
    <>
      <path d="M12 1.6L23.4 22H.6z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
      <path d="M12 8.6v6.6m0 3v.1" stroke="var(--surface)" strokeWidth="2.6" strokeLinecap="round" />
    </>
  ),
  stopped: <rect x="3" y="3" width="18" height="18" rx="2" fill="currentColor" />,
};

/**
 * Draw a tone; with a word beside it the mark is silent, alone it names itself.
 *
 * @param options - `size`: pixels beside letters of the usual size; it grows with them.
 */
export function ToneMark({ tone, size = 16, isSilent = true }: { tone: Tone; size?: number; isSilent?: boolean }) {
  const drawing = {
    width: `${size / 16}rem`,
    height: `${size / 16}rem`,
    viewBox: '0 0 24 24',
    style: { color: `var(--tone-${tone})`, flex: 'none' },
  };
  if (isSilent)
    return (
      <svg {...drawing} aria-hidden="true">
        {shapes[tone]}
      </svg>
    );
  return (
    <svg {...drawing} role="img" aria-label={names[tone]}>
      {shapes[tone]}
    </svg>
  );
}
