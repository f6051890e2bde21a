import { type Tone, ToneMark } from '../../ui/marks/tone-mark.tsx';
import classes from './catalogue.module.css';
import { words } from './words.ts';

const tones: Readonly<Record<string, Tone>> = {
  success: 'ok',
  stored: 'ok',
  running: 'busy',
  pending: 'busy',
  stream_active: 'busy',
  stream_finalizing: 'busy',
  error: 'attention',
  stream_error: 'attention',
};

const types: Readonly<Record<string, string>> = {
  tool_state: 'Tool state',
  metrology: 'Metrology',
  rheed_video: 'RHEED video',
  rheed_stationary: 'RHEED, stationary',
  rheed_rotating: 'RHEED, rotating',
  optical: 'Optical',
  xps: 'XPS',
  sims: 'SIMS',
  sem: 'SEM',
  raman: 'Raman',
  photoluminescence: 'Photoluminescence',
  ellipsometry: 'Ellipsometry',
};

/** The types that the interface and its notes name; any other is shown and can be typed as it is. */
export const knownTypes = Object.keys(types);

/** What a type is called; one that is not known by its own word. */
export const wordOfType = (type: string): string => (Object.hasOwn(types, type) ? (types[type] as string) : type);

/** The state of an entry in the service's own word, with a shape where the word is known. */
export function StatusWord({ status }: { status: string }) {
  const tone = Object.hasOwn(tones, status) ? (tones[status] as Tone) : 'stopped';
  return (
    <span className={classes.status} style={{ color: `var(--tone-${tone})` }}>
      <ToneMark tone={tone} size={15} />
      <bdi>{status === '' ? words.none : status}</bdi>
    </span>
  );
}
