import { inZone } from '../format/time.ts';
import { type Tone, ToneMark } from './marks/tone-mark.tsx';
import classes from './ui.module.css';

interface NoticeProps {
  tone: Tone;
  /** What happened. */
  message: string;
  /** What to do; left out when empty. */
  hint?: string;
  /** Read out at once by screen readers: for what a person has just caused. */
  isUrgent?: boolean;
}

/** What happened and what to do, in the text of the agent or of what it reads; always shown as text, never as markup. */
export function Notice({ tone, message, hint = '', isUrgent = false }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} {...(isUrgent ? { role: 'alert' } : {})}>
      <ToneMark tone={tone} size={18} isSilent={false} />
      <div>
        <bdi>{inZone(message)}</bdi>
        {hint !== '' && <bdi className={classes.hint}>{inZone(hint)}</bdi>}
      </div>
    </div>
  );
}
