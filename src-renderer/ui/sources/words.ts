/** Texts of the fields and looks that several pages have for sources. */
export const words = {
  folder: 'Log folder',
  match: 'File pattern',
  matchHelp: 'Below the folder; ** stands for any folders',
  timeFormat: 'Time format',
  timeFormatHelp: 'Only if not recognised, for example dd/MM/yyyy HH:mm:ss.SSS',
  automatic: 'automatic',
} as const;
