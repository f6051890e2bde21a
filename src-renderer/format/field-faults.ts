/** What is said of a field that several forms have, where it cannot be taken as it stands. */
export const fieldFaults = {
  toolName: 'Give the tool a name, for example MBE-1.',
  folder: 'Name the folder in which the tool writes its logs.',
  match: 'Say which files to read, for example **/*.csv.',
  address: 'Give the whole address, for example https://data.example.org.',
} as const;
