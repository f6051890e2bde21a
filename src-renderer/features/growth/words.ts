/** Texts of the pages of growths. */
export const words = {
  compare: 'Compare with others',
  unnamed: 'The growth',
  ended: (name: string, points: string, isDelivered: boolean) =>
    `${name} ended. ${points}, ${isDelivered ? 'all delivered' : 'being delivered'}.`,
  showEnded: 'Show it',
} as const;
