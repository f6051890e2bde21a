import { Button, Select, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Argument } from '../../../src-main/contract/table.ts';
import { formatExact } from '../../format/time.ts';
import { forgetDraft, useDraft } from '../../state/draft.ts';
import { type Known, useCreateInstrument } from '../../state/library.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { FormEnd } from './form-end.tsx';
import classes from './library.module.css';

type Instrument = Argument<'library', 'createInstrument'>;

const types: readonly { value: Instrument['type']; label: string }[] = [
  { value: 'mbe', label: 'mbe: molecular beam epitaxy' },
  { value: 'sputter', label: 'sputter' },
  { value: 'pld', label: 'pld: pulsed laser deposition' },
  { value: 'pvd', label: 'pvd: other physical deposition' },
  { value: 'cvd', label: 'cvd: chemical deposition' },
  { value: 'ald', label: 'ald: atomic layer deposition' },
];

/** The instruments that were made from here, and making one. */
export function InstrumentsPanel({ known }: { known: UseQueryResult<Known> }) {
  const [isOpen, setOpen] = useState(false);
  const create = useCreateInstrument();
  const instruments = known.data?.instruments ?? [];
  return (
    <Panel
      title="Instruments"
      aside={
        !isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            New instrument
          </Button>
        )
      }
    >
      <div className={layout.closeStack}>
        {isOpen && <InstrumentForm create={create} onDone={() => setOpen(false)} />}
        {create.data && (
          <Notice
            tone={create.data.isKept ? 'ok' : 'attention'}
            isUrgent
            message={`${create.data.instrument.name} has the number ${create.data.instrument.id} at the service.`}
            hint={create.data.isKept ? '' : 'This PC could not note it down: write the number down yourself.'}
          />
        )}
        <Answered isPending={known.isPending} fault={faultOf(known)} loading="Looking for instruments.">
          {instruments.length === 0 && <Quiet>None was made from this PC yet.</Quiet>}
          <ul className={classes.items}>
            {instruments.map(({ id, name, label, type, serialId, madeMs }) => (
              <li key={id} title={`made ${formatExact(madeMs)}`}>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <bdi className={classes.under}>
                  {[`number ${id}`, type, label, serialId ?? ''].filter((word) => word !== '').join(' · ')}
                </bdi>
              </li>
            ))}
          </ul>
          <Quiet>
            Made from this PC only: the service does not list its instruments, so there may be others. One of those can
            be used by its number.
          </Quiet>
        </Answered>
      </div>
    </Panel>
  );
}

const DRAFT = 'instrument';
const empty: Instrument = { name: '', label: '', type: 'mbe', serialId: '' };

function InstrumentForm({ create, onDone }: { create: ReturnType<typeof useCreateInstrument>; onDone: () => void }) {
  const [values, change] = useDraft(DRAFT, () => empty);
  const [isChecked, setChecked] = useState(false);
  const missing = (text: string, words: string) => (isChecked && text.trim() === '' ? words : null);
  const leave = () => {
    forgetDraft(DRAFT);
    onDone();
  };
  const go = () => {
    setChecked(true);
    const { name, label, serialId, type } = values;
    if (name.trim() === '' || label.trim() === '') return;
    const made = { name: name.trim(), label: label.trim(), type, serialId: serialId.trim() };
    create.mutate(made, { onSuccess: leave });
  };
  return (
    <form
      className={classes.form}
      noValidate
      aria-label="New instrument"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <TextInput
        label="Name of the instrument"
        placeholder="MBE-1"
        maxLength={300}
        value={values.name}
        error={missing(values.name, 'Give it a name, for example MBE-1.')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Label"
        placeholder="Oxide MBE, eight cells"
        maxLength={300}
        value={values.label}
        error={missing(values.label, 'Say what it is, for example Oxide MBE, eight cells.')}
        onChange={(event) => change({ label: event.currentTarget.value })}
      />
      <Select
        label="Kind of growth tool"
        data={types}
        allowDeselect={false}
        value={values.type}
        onChange={(type) => change({ type: types.find(({ value }) => value === type)?.value ?? 'mbe' })}
      />
      <TextInput
        label="Serial number"
        description="Optional"
        maxLength={300}
        value={values.serialId}
        onChange={(event) => change({ serialId: event.currentTarget.value })}
      />
      <FormEnd error={create.error} word="Make instrument" isBusy={create.isPending} back="Cancel" onBack={leave} />
    </form>
  );
}
