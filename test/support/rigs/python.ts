// Debian's Python with the packages that scientists use, as an independent reader.
import { execFileSync } from 'node:child_process';

const PYTHON = '/usr/bin/python3';

/** What keeps Python with these packages from running here; null when nothing does. */
export function findPythonObstacle(...packages: string[]): string | null {
  try {
    execFileSync(PYTHON, ['-c', `import ${packages.join(', ')}`], { stdio: 'pipe' });
    return null;
  } catch {
    return `needs ${PYTHON} with ${packages.join(', ')} (apt-get install ${packages.map((name) => `python3-${name}`).join(' ')})`;
  }
}

/**
 * Run Python.
 *
 * @returns what it printed.
 * @throws the fault of the process, with what it printed.
 */
export function runPython(...words: string[]): string {
  return execFileSync(PYTHON, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
}
