/** Why a name cannot be one of a source; undefined: it can. */
export function findIdFault(id: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id.trim())) return undefined;
  return 'Give a name of letters, digits, dot, hyphen and underscore, for example chamber-log.';
}

/** Why a baud rate cannot be one; undefined: it can, or the field is empty. */
export function findBaudFault(baud: string): string | undefined {
  if (/^(|[1-9]\d{1,6})$/.test(baud.trim())) return undefined;
  return 'Give a number such as 9600, or nothing.';
}
