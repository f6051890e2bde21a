// Keys that work on every page, as long as nobody types.
import { useEffect } from 'react';
import { FREEZE, NOTE_ID, WALL } from '../ui/shortcut-keys.ts';

/** The field may be drawn some frames after its page. */
const FRAMES_MAX = 60;

function focusNote(frames = FRAMES_MAX): void {
  const field = document.getElementById(NOTE_ID);
  if (field) field.focus();
  else if (frames > 0) requestAnimationFrame(() => focusNote(frames - 1));
}

/** Listen to the keys. Takes how to go to a place. */
export function useShortcuts(go: (place: string) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isTyping = target instanceof Element && target.closest(TAKES_KEYS) !== null;
      if (isTyping || ctrlKey || metaKey || altKey) return;
      if (key.toLowerCase() === 'w') go(WALL);
      else if (key.toLowerCase() === 'n') {
        // The key itself is no part of the note.
        event.preventDefault();
        go('/growth');
        focusNote();
      } else if (key === ' ' && !isPressable(target) && !window.dispatchEvent(new Event(FREEZE, { cancelable: true })))
        event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [go]);
}

/** A chosen radio button or box takes arrows and space alone. */
const TAKES_KEYS =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="listbox"], [role="combobox"]';

/** The space bar presses what has the focus, and scrolls what scrolls. */
const isPressable = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, summary, [role="button"], [tabindex="0"], input') !== null;
