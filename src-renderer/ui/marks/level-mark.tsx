type Level = 'info' | 'warning' | 'error';

const colours: Readonly<Record<Level, string>> = {
  info: 'var(--text-quiet)',
  // Not the colour of what needs nobody.
  warning: 'var(--text)',
  error: 'var(--tone-attention)',
};
const shapes: Readonly<Record<Level, React.ReactNode>> = {
  info: <circle cx="8" cy="8" r="3.5" fill="currentColor" />,
  warning: <path d="M8 1l7 7-7 7-7-7z" fill="currentColor" />,
  error: <path d="M8 1l7.5 14H.5z" fill="currentColor" />,
};

/** The level of an event: a dot, a diamond, a triangle. */
export function LevelMark({ level }: { level: Level }) {
  return (
    <svg
      width="0.8rem"
      height="0.8rem"
      viewBox="0 0 16 16"
      style={{ color: colours[level] }}
      role="img"
      aria-label={level}
    >
      {shapes[level]}
    </svg>
  );
}
