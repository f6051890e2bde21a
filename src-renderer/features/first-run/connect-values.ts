import type { Argument } from '../../../src-main/contract/table.ts';
import { fieldFaults } from '../../format/field-faults.ts';
import type { ServiceKind } from '../../ui/service-fields.tsx';
import { USUAL_MATCH } from '../../ui/sources/log-fields.tsx';

/** What the form holds: the argument of `tool.connect` with the choice of service apart. */
export interface ConnectValues extends Omit<Argument<'tool', 'connect'>, 'serviceUrl'> {
  service: ServiceKind;
  serviceAddress: string;
}

/** Start with what is most often right: this PC's zone, the usual log files, what is written from now on. */
export function firstValues(): ConnectValues {
  return {
    toolName: '',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    folder: '',
    match: USUAL_MATCH,
    backfill: 'from-now',
    timeFormat: '',
    service: 'embedded',
    serviceAddress: '',
    apiKey: '',
  };
}

/** Form the argument of `tool.connect`; an embedded service takes neither address nor key. */
export function toArgument({ service, serviceAddress, ...values }: ConnectValues): Argument<'tool', 'connect'> {
  if (service === 'embedded') return { ...values, serviceUrl: 'embedded', apiKey: '' };
  return { ...values, serviceUrl: serviceAddress.trim() };
}

/** The part of the values that decides what a preview shows. */
export const toPreviewArgument = ({
  folder,
  match,
  timeZone,
  timeFormat,
}: ConnectValues): Argument<'source', 'previewLog'> => ({
  folder,
  match,
  timeZone,
  timeFormat,
  dialect: 'auto',
});

export type Faults = Partial<Record<keyof ConnectValues, string>>;

/**
 * Find what is still missing.
 *
 * @returns a sentence for each field that cannot go to the agent as it stands; the agent checks everything again.
 */
export function findFaults(values: ConnectValues): Faults {
  const faults: Faults = {};
  if (values.toolName.trim() === '') faults.toolName = fieldFaults.toolName;
  if (values.folder.trim() === '') faults.folder = fieldFaults.folder;
  if (values.match.trim() === '') faults.match = fieldFaults.match;
  if (values.timeZone.trim() === '') faults.timeZone = 'Choose the zone of the times in the logs.';
  if (values.service === 'address') {
    if (!URL.canParse(values.serviceAddress.trim())) faults.serviceAddress = fieldFaults.address;
    if (values.apiKey.trim() === '') faults.apiKey = 'Give the key that the service issued to you.';
  }
  return faults;
}
