/** Texts of plots. */
export const words = {
  log: 'log scale',
  belowDecades: (names: string, isLog: boolean) =>
    isLog ? `not shown: values at or below zero of ${names}` : `linear scale: no value of ${names} is above zero`,
  more: 'Range and statistics',
  low: (unit: string) => `Lowest${unit === '' ? '' : ` (${unit})`}`,
  high: (unit: string) => `Highest${unit === '' ? '' : ` (${unit})`}`,
  apply: 'Apply',
  automatic: 'Automatic',
  wrong: 'Give two numbers, the lower one first.',
  columns: ['Channel', 'Points', 'Minimum', 'Mean', 'Maximum', 'Standard deviation'],
  statistics: 'Of the points in the time shown',
  none: '–',
} as const;
