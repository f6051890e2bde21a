import { Button } from '@mantine/core';
import { wordsOf } from '../../state/ask.ts';
import type { useZonePreviews } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { ZoneChange } from '../../ui/sources/zone-change.tsx';
import { words } from './words.ts';

interface ZonePreviewProps {
  previews: ReturnType<typeof useZonePreviews>;
  oldZone: string;
  zone: string;
}

/** What another zone of the tool makes of the last rows of each log that has no zone of its own. */
export function ZonePreview({ previews: { look, isSeen }, oldZone, zone }: ZonePreviewProps) {
  return (
    <div className={layout.closeStack}>
      {!isSeen && <Notice tone="attention" message={words.zoneUnseen} hint={words.zoneUnseenHelp} />}
      <div>
        <Button
          variant={isSeen ? 'default' : 'filled'}
          loading={look.isPending}
          onClick={() => look.mutate({ oldZone, zone })}
        >
          {words.zonePreview}
        </Button>
      </div>
      {look.error && <Notice tone="attention" isUrgent {...wordsOf(look.error)} />}
      {isSeen &&
        look.data?.map(({ id, view: { zoneChange, problem, hint } }) => (
          <section key={id} aria-label={id}>
            <h3>
              <bdi>{id}</bdi>
            </h3>
            {zoneChange ? (
              <ZoneChange change={zoneChange} oldZone={oldZone} zone={zone} />
            ) : (
              <Notice tone="busy" message={problem || words.zoneNoRows} hint={hint} />
            )}
          </section>
        ))}
    </div>
  );
}
