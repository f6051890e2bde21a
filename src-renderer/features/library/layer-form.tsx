import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Layer, useChangeLayer } from '../../state/library.ts';
import { FormEnd } from './form-end.tsx';
import { changeOf, type LayerText, readAmounts, textOfLayer } from './layer-change.ts';
import classes from './library.module.css';

const fields = [
  { name: 'composition', label: 'Composition', placeholder: 'Al0.3Ga0.7As', max: 500 },
  { name: 'elements', label: 'Elements with amounts', placeholder: 'Al 0.3, Ga 0.7, As 1', max: 2000 },
  { name: 'orientation', label: 'Orientation', placeholder: '(001)', max: 200 },
  { name: 'spaceGroup', label: 'Space group', placeholder: 'F-43m', max: 200 },
  { name: 'mpId', label: 'Database id', placeholder: 'mp-2534', max: 200 },
] as const;

/** Change a layer where it lies. Only what was changed is sent; an emptied field is cleared. */
export function LayerForm({ layer, onDone }: { layer: Layer; onDone: () => void }) {
  const [text, setText] = useState<LayerText>(() => textOfLayer(layer));
  const change = useChangeLayer();
  const read = readAmounts(text.elements);
  const fault = 'fault' in read ? read.fault : null;
  const save = () => {
    if ('fault' in read || layer.layerId === null) return;
    const wanted = changeOf(layer, layer.layerId, text, read.amounts);
    if (wanted === null) onDone();
    else change.mutate(wanted, { onSuccess: onDone });
  };
  return (
    <form
      className={classes.layerForm}
      aria-label={`Layer ${layer.layerId}`}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {fields.map(({ name, label, placeholder, max }, index) => (
        <TextInput
          key={name}
          label={label}
          placeholder={placeholder}
          maxLength={max}
          spellCheck={false}
          // The form stands where the button was: the hands are here already.
          autoFocus={index === 0}
          value={text[name]}
          error={name === 'elements' ? fault : null}
          onChange={(event) => setText({ ...text, [name]: event.currentTarget.value })}
        />
      ))}
      <FormEnd
        error={change.error}
        word="Save layer"
        isBusy={change.isPending}
        isDisabled={fault !== null}
        back="Cancel"
        onBack={onDone}
      />
    </form>
  );
}
