import { Button } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { wordsOf } from '../../state/ask.ts';
import { forgetDraft } from '../../state/draft.ts';
import { type SourceEntry, useSaveSource } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { MissingFields } from '../../ui/sources/missing-fields.tsx';
import classes from './sources.module.css';

/** The drafts of new sources. */
export const NEW_DRAFTS = { log: 'source-log', serial: 'source-serial', rheed: 'source-rheed' } as const;

interface SaveBarProps {
  kind: keyof typeof NEW_DRAFTS;
  /** What would be saved; null: fields are missing. */
  entry: SourceEntry | null;
  /** As it stands in the settings, said as the form says it: a file has its own order, and may name defaults. Null: it is new. */
  former: SourceEntry | null;
  /** It was seen working as it is now. */
  isSeen: boolean;
  /** Another time zone is saved after a preview only: new rows get other times. */
  mustPreview?: boolean;
  /** A person pressed save while fields are missing. */
  onMissing: () => void;
  isMissingShown: boolean;
}

/** Save, in two weights: what was seen working is saved plainly, anything else only on purpose. */
export function SaveBar({ kind, entry, former, isSeen, mustPreview = false, onMissing, isMissingShown }: SaveBarProps) {
  const save = useSaveSource();
  const [, go] = useLocation();
  const isChanged = former === null || JSON.stringify(entry) !== JSON.stringify(former);
  const forget = () => former === null && forgetDraft(NEW_DRAFTS[kind]);
  const leave = () => {
    forget();
    if (former === null) go('/sources');
  };
  const press = () => {
    if (entry === null) return onMissing();
    save.mutate({ entry, isNew: former === null }, { onSuccess: leave });
  };
  return (
    <Panel title="Save">
      <div className={layout.stack}>
        {isMissingShown && entry === null && <MissingFields />}
        {save.error && <Notice tone="attention" isUrgent {...wordsOf(save.error)} />}
        {save.isSuccess && !isChanged && <Notice tone="ok" isUrgent message="Saved and active." />}
        {mustPreview && (
          <Notice
            tone="attention"
            message="The time zone is saved after a preview only."
            hint="New rows get other times. Press Preview, and compare them with the clock of the tool."
          />
        )}
        {former !== null && isChanged && (
          <Notice
            tone="busy"
            message="Saving restarts this source; the others go on."
            hint={
              former.kind === 'rheed'
                ? 'Saving a frame counter restarts all recording for a few seconds. A RHEED session that has begun keeps the rate and speed that it began with; the next one takes these.'
                : 'What it has read is stored first, and it goes on from there: no row is lost or read twice.'
            }
          />
        )}
        <div className={classes.actions}>
          <Button
            size="lg"
            variant={isSeen ? 'filled' : 'default'}
            disabled={!isChanged || mustPreview}
            loading={save.isPending}
            onClick={press}
          >
            {isSeen || !isChanged ? 'Save' : 'Save without testing'}
          </Button>
          <Button size="lg" variant="default" component={Link} href="/sources" onClick={forget}>
            {former === null ? 'Cancel' : isChanged ? 'Discard changes' : 'All sources'}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
