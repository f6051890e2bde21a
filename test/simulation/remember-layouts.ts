// Remembers what was recognised of a head, in the process that imports this before the followers: lives write the same few lines,
// and to recognise them each time is a third of the time that a life takes. All that recognition is given is part of the key but the
// clock of the PC and the last change of the file, by which no stamp of these lines is judged.
import { changeModule } from './change-module.ts';

const FILE = 'src-main/sources/log/recognise/recognise.ts';
const FROM = 'export function recogniseLayout(';
const TO = `
const remembered = new Map();
export const recogniseLayout: typeof recogniseOnce = (head, given, timeZone) => {
  const { bytes, modifiedMs: _modifiedMs, nowMs: _nowMs, ...rest } = head;
  const key = JSON.stringify([new TextDecoder('latin1').decode(bytes), rest, given, timeZone]);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const found = recogniseOnce(head, given, timeZone);
  remembered.set(key, found);
  return found;
};
function recogniseOnce(`;

/** @throws as `changeModule`. */
export const rememberLayouts = (): void => changeModule(FILE, FROM, TO);
