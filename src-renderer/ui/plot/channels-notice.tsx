import { Quiet } from '../quiet.tsx';

interface ChannelsNoticeProps {
  /** All channels there are; absent: not known yet. */
  known: readonly unknown[] | undefined;
  shown: readonly unknown[];
  hasSources: boolean;
}

/** Says why there is no plot: no channel is known, or none is chosen. */
export function ChannelsNotice({ known, shown, hasSources }: ChannelsNoticeProps) {
  if (!known) return <Quiet>Asking for the channels.</Quiet>;
  if (known.length > 0) return shown.length > 0 ? null : <Quiet>No channel is chosen.</Quiet>;
  return (
    <Quiet>{hasSources ? 'Channels appear here with the first readings.' : 'There is nothing to plot yet.'}</Quiet>
  );
}
