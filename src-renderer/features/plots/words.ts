/** Texts of the page of plots. */
export const words = {
  compare: 'Compare growths',
  growthStarted: (name: string) => (name === '' ? 'growth started' : `growth started: ${name}`),
  growthEnded: (name: string) => (name === '' ? 'growth ended' : `growth ended: ${name}`),
  restarted: 'Epistream restarted',
} as const;
