import type { Argument } from '../../../src-main/contract/table.ts';
import { fieldFaults } from '../../format/field-faults.ts';
import type { ConnectionQuestion, SettingsView } from '../../state/settings.ts';
import type { ServiceKind } from '../../ui/service-fields.tsx';

/** What the form holds: texts as they are typed. */
export interface SettingsValues {
  readonly service: ServiceKind;
  readonly address: string;
  readonly caFile: string;
  readonly apiKey: string;
  readonly toolName: string;
  readonly timeZone: string;
  readonly synthSourceId: string;
  readonly pointsPerChunk: string;
  readonly rollover: 'daily' | 'growth';
  readonly closes: boolean;
  readonly closeAfterQuiet: string;
}

/** The form as the settings stand; the key is never there. */
export function toValues({ service, tool, streamDefaults }: SettingsView): SettingsValues {
  const isEmbedded = service.url === 'embedded';
  const { pointsPerChunk, rollover, closeAfterQuiet } = streamDefaults;
  return {
    service: isEmbedded ? 'embedded' : 'address',
    address: isEmbedded ? '' : service.url,
    caFile: service.caFile ?? '',
    apiKey: '',
    toolName: tool.name,
    timeZone: tool.timeZone,
    synthSourceId: tool.synthSourceId === null ? '' : String(tool.synthSourceId),
    pointsPerChunk: pointsPerChunk === 'auto' ? '' : String(pointsPerChunk),
    rollover,
    closes: closeAfterQuiet !== null,
    closeAfterQuiet: closeAfterQuiet ?? '15min',
  };
}

/** What decides whether a test of the connection holds for the form. */
export function toQuestion({ service, address, caFile, apiKey }: SettingsValues): ConnectionQuestion {
  if (service === 'embedded') return { url: 'embedded', caFile: null, apiKey: '' };
  return { url: address.trim(), caFile: caFile.trim() || null, apiKey: apiKey.trim() };
}

/** Form the argument of `settings.save`; an empty field stands for what is left to the agent. */
export function toArgument(values: SettingsValues): Argument<'settings', 'save'> {
  const { url, caFile, apiKey } = toQuestion(values);
  return {
    service: { url, caFile },
    apiKey,
    tool: {
      name: values.toolName.trim(),
      timeZone: values.timeZone,
      synthSourceId: values.synthSourceId.trim() === '' ? null : Number(values.synthSourceId),
    },
    streamDefaults: {
      pointsPerChunk: values.pointsPerChunk.trim() === '' ? 'auto' : Number(values.pointsPerChunk),
      rollover: values.rollover,
      closeAfterQuiet: values.closes ? values.closeAfterQuiet.trim() : null,
    },
  };
}

export type Faults = Partial<Record<keyof SettingsValues, string>>;

/** Find what cannot go to the agent as it stands; the agent checks everything again. */
export function findFaults(values: SettingsValues): Faults {
  const faults: Faults = {};
  if (values.toolName.trim() === '') faults.toolName = fieldFaults.toolName;
  if (values.service === 'address' && !URL.canParse(values.address.trim())) {
    faults.address = fieldFaults.address;
  }
  if (!/^(|[1-9]\d{0,8})$/.test(values.synthSourceId.trim())) faults.synthSourceId = 'Give a whole number, or nothing.';
  if (!/^(|[1-9]\d{0,2}|1000)$/.test(values.pointsPerChunk.trim())) {
    faults.pointsPerChunk = 'Give a whole number from 1 to 1000, or nothing.';
  }
  if (values.closes && values.closeAfterQuiet.trim() === '') faults.closeAfterQuiet = 'Give a duration such as 15min.';
  return faults;
}
