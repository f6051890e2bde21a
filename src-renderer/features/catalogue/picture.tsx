import { useEffect, useRef, useState } from 'react';
import { usePicture } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import classes from './catalogue.module.css';

interface PictureProps {
  dataId: string;
  /** Read out instead of the picture. */
  name: string;
  /** Room to keep free until it is there, pixels; null: not known. */
  widthPx: number | null;
  heightPx: number | null;
}

/** A picture of the service, fetched once it comes into sight. The agent has looked at its bytes before. */
export function Picture({ dataId, name, widthPx, heightPx }: PictureProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const watch = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting === true), {
      rootMargin: '200px',
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const picture = usePicture(dataId, isSeen);
  const ratio = `${widthPx ?? 4} / ${heightPx ?? 3}`;
  return (
    <div ref={place} className={classes.picture} style={{ aspectRatio: ratio }}>
      {picture.data && <img src={`data:${picture.data.mediaType};base64,${picture.data.base64}`} alt={name} />}
      {picture.isLoading && <span className={classes.under}>Fetching the picture.</span>}
      <QueryFault fault={faultOf(picture)} />
    </div>
  );
}
