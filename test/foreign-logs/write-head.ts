// What a log holds above the names of its columns.
import type { Choices } from './choices.ts';

/** The lines of one kind. */
export function headLines(kind: Choices['head'][number], separator: string, day: string): string[] {
  const cell = separator.trim() === '' ? '  ' : separator;
  switch (kind) {
    case 'title':
      return ['Growth log of chamber 2'];
    case 'blank':
      return [''];
    case 'keys':
      return [
        'Operator: Müller',
        'Sample rate: 1 Hz',
        'Serial no.: 12345',
        'Range: 0 - 1000',
        'Software version: 2.11.3',
      ];
    case 'remarks':
      return ['# tool = MBE 3', '# gain = 1.25e-3', '# channels = 4'];
    case 'cells':
      return [`Model${cell}GC-9001`, `Averages${cell}16`, `Limits${cell}0.1${cell}250`];
    case 'old date':
      return ['Calibrated: 2001-03-04 08:00:00'];
    case 'table':
      return [
        '',
        ['Ch', 'Label', 'Mass'].join(cell),
        ['1', 'Hydrogen', '2'].join(cell),
        ['2', 'Water', '18'].join(cell),
        '',
      ];
    case 'list':
      return ['Setpoints: 1, 2, 3', 'Zones: 4 5 6'];
    case 'date':
      return [`Date: ${day}`];
    case 'zone':
      return [];
    default:
      return ['Recipe buffer layer then cap', 'made for the tests of the reader'];
  }
}
