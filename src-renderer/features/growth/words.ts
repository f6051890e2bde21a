/** Texts of the pages of growths. */
export const words = {
  compare: 'Compare with others',
  unnamed: 'The growth',
  /** Takes why points are kept here; empty: they are on their way. */
  ended: (name: string, points: string, isDelivered: boolean, kept: string) =>
    `${name} ended. ${points}, ${isDelivered ? 'all delivered' : kept === '' ? 'being delivered' : `not all delivered: ${kept}`}${kept === '' ? '.' : ''}`,
  paused: 'Sending is paused.',
  showEnded: 'Show it',
} as const;
