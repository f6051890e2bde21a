import { Panel } from '../../ui/panel.tsx';
import classes from './catalogue.module.css';
import { Picture } from './picture.tsx';

/** The raw file of an entry, where its name says that it is a picture. */
export function PicturePanel({ dataId, name }: { dataId: string; name: string }) {
  return (
    <Panel title="Picture">
      <figure className={classes.frame}>
        <Picture dataId={dataId} name={`Picture ${name}`} widthPx={null} heightPx={null} />
      </figure>
    </Panel>
  );
}
