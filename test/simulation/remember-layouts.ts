// Remembers what was recognised of a head, in the process that imports this before the followers: lives write the same few lines,
// and to recognise them anew is a third of the time that a life takes. All that recognition is given is part of the key but the
// clock of the PC and the last change of the file, by which no stamp of these lines is judged.
import { registerHooks } from 'node:module';

const FILE = new URL('../../src-main/sources/log/recognise/recognise.ts', import.meta.url).href;
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

/** @throws the text that it changes is not there. */
export function rememberLayouts(): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url !== FILE || loaded.source === undefined || loaded.source === null) return loaded;
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      if (text.split(FROM).length !== 2) throw new Error(`recognise.ts does not hold "${FROM}" once.`);
      return { ...loaded, source: text.replace(FROM, () => TO) };
    },
  });
}
