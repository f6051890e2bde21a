// A short tone when something needs a person. Off at first; like the theme it belongs to the screen: each browser keeps its own.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Sentence, Snapshot } from '../../src-main/contract/snapshot.ts';
import { readStored, store } from './browser-storage.ts';

const KEY = 'epistream.alarm-sound';
/** Two short notes, hertz, and how long each is, seconds. */
const NOTES_HZ = [880, 660];
const NOTE_S = 0.25;
const VOLUME = 0.2;

const listeners = new Set<() => void>();
let isOn = readStored(KEY) === 'on';
let context: AudioContext | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Make the sound possible; a browser allows it only after a click or a key press on the page. */
function unlock(): Promise<void> {
  context ??= new AudioContext();
  return context.resume();
}

/** Play the tone; nothing happens while the browser does not allow it. */
function play(): void {
  if (context?.state !== 'running') return;
  const { destination, currentTime } = context;
  for (const [at, frequency] of NOTES_HZ.entries()) {
    const [note, volume] = [new OscillatorNode(context, { frequency }), new GainNode(context, { gain: VOLUME })];
    note.connect(volume).connect(destination);
    note.start(currentTime + at * NOTE_S);
    note.stop(currentTime + (at + 1) * NOTE_S);
  }
}

/** Switch the sound on or off; switching it on plays it once. */
export function switchSound(on: boolean): void {
  isOn = on;
  store(KEY, on ? 'on' : 'off');
  if (on) void unlock().then(play);
  for (const listener of listeners) listener();
}

/** Follow whether the sound is on. */
export const useSoundSwitch = (): boolean => useSyncExternalStore(subscribe, () => isOn);

/** True when the state now needs a person and did not before; a page that has just been opened makes no sound. */
export const beginsAlarm = (before: Sentence['tone'] | null, now: Sentence['tone'] | null): boolean =>
  now === 'attention' && before !== null && before !== 'attention';

/** Play the tone each time when something begins to need a person. */
export function useAlarmSound(snapshot: Snapshot | null): void {
  const on = useSoundSwitch();
  const tone = snapshot?.sentence.tone ?? null;
  const before = useRef<Sentence['tone'] | null>(null);
  useEffect(() => {
    if (!on) return;
    const allow = () => void unlock();
    allow();
    window.addEventListener('pointerdown', allow);
    window.addEventListener('keydown', allow);
    return () => {
      window.removeEventListener('pointerdown', allow);
      window.removeEventListener('keydown', allow);
    };
  }, [on]);
  useEffect(() => {
    if (on && beginsAlarm(before.current, tone)) play();
    before.current = tone;
  }, [on, tone]);
}
