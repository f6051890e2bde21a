import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { type Frame, useFrames } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';
import { Picture } from './picture.tsx';

const SHOWN_FIRST = 24;

/** The saved frames of an optical video as pictures. */
export function FramesPanel({ dataId }: { dataId: string }) {
  const [shown, setShown] = useState(SHOWN_FIRST);
  const answer = useFrames(dataId);
  const { frames = [], total = 0 } = answer.data ?? {};
  return (
    <Panel title="Frames" aside={answer.data && <span>{formatCounted(total, 'frame')}</span>}>
      <Answered isPending={answer.isPending} fault={faultOf(answer)} loading="Asking for the frames of this video.">
        {frames.length === 0 && <Quiet>The service holds no saved frame of this video.</Quiet>}
        <ul className={classes.frames} data-testid="frames">
          {frames.slice(0, shown).map((frame, index) => (
            <FrameItem key={frame.imageId ?? `place ${index}`} frame={frame} number={index + 1} />
          ))}
        </ul>
        {frames.length > shown && (
          <Button variant="default" onClick={() => setShown(shown + SHOWN_FIRST)}>
            Show more
          </Button>
        )}
        {total > frames.length && <Quiet>Only the first {frames.length} frames are shown here.</Quiet>}
      </Answered>
    </Panel>
  );
}

function FrameItem({
  frame: { imageId, fileType, widthPx, heightPx, more },
  number,
}: {
  frame: Frame;
  number: number;
}) {
  const size = widthPx !== null && heightPx !== null ? `${widthPx} x ${heightPx} pixels` : '';
  const words = [fileType, size, ...more.map(({ name, text }) => `${name} ${text}`)].filter((word) => word !== '');
  return (
    <li>
      <figure className={classes.frame}>
        {imageId === null ? (
          <Quiet>The service tells no id of this frame, so its picture cannot be asked for.</Quiet>
        ) : (
          <Picture dataId={imageId} name={`Frame ${number}`} widthPx={widthPx} heightPx={heightPx} />
        )}
        <figcaption>
          <strong>{number}</strong> <bdi className={classes.under}>{words.join(', ')}</bdi>
        </figcaption>
      </figure>
    </li>
  );
}
