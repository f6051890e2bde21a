import { type ComboboxParsedItem, MultiSelect, Select, TextInput } from '@mantine/core';
import { formatDuration } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { faultOf } from '../../state/query-fault.ts';
import {
  type InstrumentView,
  type OptionValue,
  type SourceEntry,
  useInstrument,
  useInstruments,
} from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { isDescribed, type SerialFaults, type SerialValues, toAddress } from './serial-values.ts';
import classes from './sources.module.css';
import { words } from './words.ts';

/** Letters and digits alone: "lakeshore" finds "Lake Shore 335". */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

function findInstruments({ options, search }: { options: ComboboxParsedItem[]; search: string }): ComboboxParsedItem[] {
  return options.filter((option) => 'label' in option && plain(option.label).includes(plain(search)));
}

interface FieldsProps {
  values: SerialValues;
  faults: SerialFaults;
  entry: SourceEntry | null;
  onChange: (part: Partial<SerialValues>) => void;
}

/** Which instrument, its options, and everything that it is ever asked. */
export function InstrumentFields({ values, faults, entry, onChange }: FieldsProps) {
  const instruments = useInstruments();
  const asked = { instrument: values.instrument, options: values.options, address: toAddress(values.address) };
  const described = useInstrument(asked);
  const view = described.data;
  return (
    <div className={layout.stack}>
      {isDescribed(entry) && values.instrument === '' && (
        <Notice
          tone="stopped"
          message="This instrument is described in the settings file itself."
          hint="Choose one below to replace that."
        />
      )}
      <div className={layout.fields}>
        <Select
          label="Instrument"
          data={(instruments.data ?? []).map(({ name, title }) => ({ value: name, label: title }))}
          searchable
          filter={findInstruments}
          nothingFoundMessage="None of this name. Another one can be described in the settings file."
          value={values.instrument || null}
          error={faults.instrument}
          onChange={(instrument) => onChange({ instrument: instrument ?? '', options: {} })}
        />
        <TextInput
          label="Poll every"
          description="A duration such as 1s or 500ms"
          placeholder={view ? formatDuration(view.everyMs) : ''}
          maxLength={20}
          value={values.every}
          onChange={(event) => onChange({ every: event.currentTarget.value })}
        />
        <TextInput
          label="Baud rate"
          description={view ? `Factory default: ${view.line}` : 'Only if it was changed'}
          inputMode="numeric"
          maxLength={7}
          value={values.baud}
          error={faults.baud}
          onChange={(event) => onChange({ baud: event.currentTarget.value })}
        />
        <TextInput
          label="Bus address"
          description="Only where several instruments share it"
          placeholder={view?.address ?? ''}
          maxLength={32}
          value={values.address}
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
        {view?.options
          .filter((option) => isShown(option, values))
          .map((option) => (
            <OptionField
              key={option.name}
              option={option}
              value={values.options[option.name]}
              onChange={(value) => {
                const { [option.name]: _, ...rest } = values.options;
                onChange({ options: value === undefined ? rest : { ...rest, [option.name]: value } });
              }}
            />
          ))}
      </div>
      <QueryFault fault={faultOf(instruments, described)} />
      {view && <Questions view={view} />}
      {!view && !described.error && values.instrument === '' && <Quiet>Choose an instrument to see its queries.</Quiet>}
    </div>
  );
}

type Option = InstrumentView['options'][number];

/** What no instrument needs is shown only where the settings have it. */
const isShown = ({ name, isForSimulators }: Option, { options }: SerialValues) => !isForSimulators || name in options;

/** The label says what it is for; the option's own name, as the settings have it, stands under it. */
const labelOf = ({ about, name }: Option) => ({
  label: about === '' ? name : `${about.charAt(0).toUpperCase()}${about.slice(1)}`,
  description: words.option(name),
});

interface OptionFieldProps {
  option: Option;
  /** Undefined: as the instrument says. */
  value: OptionValue | undefined;
  onChange: (value: OptionValue | undefined) => void;
}

function OptionField({ option, value, onChange }: OptionFieldProps) {
  const { choices } = option;
  const shown = value ?? option.default;
  if (Array.isArray(shown) && choices) {
    const back = (text: string) => choices.find((choice) => String(choice) === text) ?? text;
    return (
      <MultiSelect
        {...labelOf(option)}
        data={choices.map(String)}
        value={shown.map(String)}
        onChange={(texts) => onChange(texts.map(back))}
      />
    );
  }
  if (choices) {
    return (
      <Select
        {...labelOf(option)}
        data={choices.map(String)}
        allowDeselect={false}
        value={String(shown)}
        onChange={(text) => onChange(choices.find((choice) => String(choice) === text))}
      />
    );
  }
  return (
    <TextInput
      {...labelOf(option)}
      maxLength={200}
      value={Array.isArray(shown) ? shown.join(', ') : String(shown)}
      onChange={(event) => onChange(readOption(event.currentTarget.value, option.default))}
    />
  );
}

/** A typed text as the kind of value that the option takes. */
function readOption(text: string, like: OptionValue): OptionValue {
  const single = (part: string, of: unknown) =>
    typeof of === 'number' && part !== '' && Number.isFinite(Number(part)) ? Number(part) : part;
  if (Array.isArray(like)) return text.split(',').map((part) => single(part.trim(), like[0]));
  if (typeof like === 'boolean') return text === 'true';
  return single(text, like);
}

/** All that is ever sent; nothing else leaves this program for the instrument. */
function Questions({ view }: { view: InstrumentView }) {
  const { questions, hears, unverified } = view;
  return (
    <details className={classes.disclosure}>
      <summary>
        {formatCounted(questions.length, 'read-only query', 'read-only queries')}
        {hears.length > 0 && <>; it also sends by itself</>}
      </summary>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Sent</th>
            <th scope="col">Gives</th>
          </tr>
        </thead>
        <tbody>
          {questions.map(({ id, sends, channels }) => (
            <tr key={id}>
              <td>{id}</td>
              <td>
                <code>{sends}</code>
              </td>
              <td>
                {channels.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)).join(', ') ||
                  'identity, unit or status'}
              </td>
            </tr>
          ))}
          {hears.map(({ id, channels }) => (
            <tr key={`hears ${id}`}>
              <td>{id}</td>
              <td>nothing</td>
              <td>
                {channels.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)).join(', ') ||
                  'understood, not recorded'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unverified.length > 0 && (
        <p className={classes.after}>Not seen in print or on an instrument: {unverified.join('; ')}.</p>
      )}
    </details>
  );
}
