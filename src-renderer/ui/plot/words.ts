/** Texts of plots. */
export const words = {
  log: 'log scale',
  belowDecades: (names: string, isLog: boolean) =>
    isLog ? `not shown: values at or below zero of ${names}` : `linear scale: no value of ${names} is above zero`,
  more: 'Range and statistics',
  moreAxes: 'Axes, range and statistics',
  low: (axis: string) => `Lowest${axis}`,
  high: (axis: string) => `Highest${axis}`,
  automatic: 'Automatic',
  wrong: 'Give two numbers, the lower one first.',
  ownAxis: 'Own axis',
  ownAxisOf: (name: string) => `Own axis for ${name}`,
  columns: ['Channel', 'Points', 'Minimum', 'Mean', 'Maximum', 'Standard deviation'],
  statistics: 'Of the points in the time shown',
  none: '–',
} as const;
