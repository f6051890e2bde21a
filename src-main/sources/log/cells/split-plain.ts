// A line of text to cells at a separator: the slow, complete way, with quotes. The row parser does the plain lines itself on
// bytes and comes here only for a line that holds a quote or a separator of several characters.

/**
 * Split one line at a separator. Takes the line without its end, and the separator (`whitespace`: runs of blanks and tabs,
 * `wide`: of two or more; those at both ends not counted). A cell may stand in double quotes; inside, the separator is text
 * and two quotes are one (RFC 4180).
 *
 * @returns the cells, blanks trimmed.
 */
export function splitPlain(line: string, delimiter: string): string[] {
  if (delimiter === 'whitespace') {
    const trimmed = line.trim();
    return trimmed === '' ? [] : trimmed.split(/[ \t]+/);
  }
  if (delimiter === 'wide') {
    const trimmed = line.trim();
    return trimmed === '' ? [] : trimmed.split(/[ \t]{2,}|\t/);
  }
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    let begin = at;
    while (line.charAt(begin) === ' ') begin += 1;
    if (line.charAt(begin) === '"') {
      let text = '';
      let scan = begin + 1;
      for (;;) {
        const quote = line.indexOf('"', scan);
        if (quote === -1) {
          text += line.slice(scan);
          scan = line.length;
          break;
        }
        text += line.slice(scan, quote);
        scan = quote + 1;
        if (line.charAt(scan) !== '"') break;
        text += '"';
        scan += 1;
      }
      const stop = line.indexOf(delimiter, scan);
      const end = stop === -1 ? line.length : stop;
      cells.push((text + line.slice(scan, end)).trim());
      if (stop === -1) return cells;
      at = stop + delimiter.length;
    } else {
      const stop = line.indexOf(delimiter, at);
      cells.push(line.slice(at, stop === -1 ? line.length : stop).trim());
      if (stop === -1) return cells;
      at = stop + delimiter.length;
    }
  }
}
