/** A stroke in the colour of a line, dashed from the tenth on. */
export function LineSwatch({ colour }: { colour: number }) {
  return (
    <svg width={22} height={10} aria-hidden="true" style={{ color: `var(--line-${colour % 10})`, flex: 'none' }}>
      <path d="M0 5H22" stroke="currentColor" strokeWidth={3} strokeDasharray={colour < 10 ? undefined : '5 3'} />
    </svg>
  );
}
