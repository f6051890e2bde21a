import { type Tone, ToneMark } from '../../ui/tone-mark.tsx';
import classes from './catalogue.module.css';

/** The kinds that the interface and its notes name; any other is shown and can be typed as it is. */
export const knownTypes = [
  ...['tool_state', 'metrology', 'rheed_video', 'rheed_stationary', 'rheed_rotating', 'optical', 'xps', 'sims'],
  ...['sem', 'raman', 'photoluminescence', 'ellipsometry'],
];

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

/** The state of an entry in the service's own word, with a shape where the word is known. */
export function StatusWord({ status }: { status: string }) {
  const tone = Object.hasOwn(tones, status) ? (tones[status] as Tone) : 'stopped';
  return (
    <span className={classes.status} style={{ color: `var(--tone-${tone})` }}>
      <ToneMark tone={tone} size={15} />
      <bdi>{status === '' ? 'not said' : status}</bdi>
    </span>
  );
}
