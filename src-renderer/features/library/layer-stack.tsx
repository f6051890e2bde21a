import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Layer, Target } from '../../state/library.ts';
import { LayerForm } from './layer-form.tsx';
import classes from './library.module.css';

/** A target material as it grows: the substrate at the bottom, the last layer on top. A layer is changed where it lies. */
export function LayerStack({ target: { name, substrate, layers } }: { target: Target }) {
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <ol className={classes.layers} aria-label={`Layers of ${name}, top first`}>
      {layers.toReversed().map((layer, index) => {
        const key = String(layer.recordId ?? `${layer.layerId} ${index}`);
        return (
          <li key={key} className={classes.layer} data-shade={(layers.length - index) % 2}>
            {edited === key ? (
              <LayerForm layer={layer} onDone={() => setEdited(null)} />
            ) : (
              <LayerText layer={layer} onEdit={() => setEdited(key)} />
            )}
          </li>
        );
      })}
      <li className={classes.substrate}>
        <span className={classes.under}>substrate</span>
        <strong>
          <bdi>{substrate === '' ? 'not said' : substrate}</bdi>
        </strong>
      </li>
    </ol>
  );
}

function LayerText({ layer, onEdit }: { layer: Layer; onEdit: () => void }) {
  const { layerId, composition, elements, orientation, spaceGroup, mpId } = layer;
  const amounts = elements.map(({ element, amount }) => `${element} ${amount ?? '?'}`).join(', ');
  const words = [amounts, orientation, spaceGroup, mpId].filter((word) => word !== '');
  return (
    <>
      <span className={classes.layerNumber}>{layerId ?? '–'}</span>
      <span className={classes.layerText}>
        <strong>
          <bdi>{composition === '' ? 'no composition' : composition}</bdi>
        </strong>
        <bdi className={classes.under}>{words.join(' · ')}</bdi>
      </span>
      {layerId === null ? (
        <span className={classes.under}>The service tells no position: it cannot be changed.</span>
      ) : (
        <Button variant="default" aria-label={`Change layer ${layerId}, ${composition}`} onClick={onEdit}>
          Change
        </Button>
      )}
    </>
  );
}
