// How a growth, its streams and its sessions are described.
import { formatCount } from '../../format/number.ts';
import type { StateWord } from '../../format/state-words.ts';
import type { Growth, GrowthSession, GrowthStream } from '../../state/growth.ts';
import type { Known } from '../../state/library.ts';
import type { Fact } from '../../ui/facts.tsx';

type Chosen = Pick<Growth, 'sampleId' | 'newSampleName' | 'projectId'>;

/** Name an id as far as it is known here. */
function nameOf(id: string, things: Known['samples'] = []): string {
  return things.find((thing) => thing.id === id)?.name || id;
}

/** Sample and project as facts. */
export function choiceFacts({ sampleId, newSampleName, projectId }: Chosen, known: Known | undefined): Fact[] {
  const sample = newSampleName ?? (sampleId === null ? null : nameOf(sampleId, known?.samples));
  const more = newSampleName === null ? '' : sampleId === null ? ', to be made' : ', made with it';
  const project = projectId === null ? null : nameOf(projectId, known?.projects);
  return [
    {
      label: 'Sample',
      value: sample === null ? 'not chosen' : <bdi>{`${sample}${more}`}</bdi>,
      ...(sampleId === null ? {} : { title: sampleId }),
    },
    {
      label: 'Project',
      value: project === null ? 'none' : <bdi>{project}</bdi>,
      ...(projectId === null ? {} : { title: projectId }),
    },
  ];
}

/** How much of a growth is here and at the service. */
export function sumPoints({ parts }: Pick<Growth, 'parts'>): Fact[] {
  const streams = parts.flatMap((part) => part.streams);
  const points = streams.reduce((sum, stream) => sum + stream.points, 0);
  const acknowledged = streams.reduce((sum, stream) => sum + stream.pointsAcknowledged, 0);
  return [
    { label: 'Streams', value: formatCount(streams.length) },
    { label: 'Points stored', value: formatCount(points) },
    { label: 'Acknowledged', value: formatCount(acknowledged) },
  ];
}

const isHeldBack = ({ pointsRefused, pointsResent }: GrowthStream) => pointsRefused > pointsResent;

/** The state of a stream of a growth: `Delivered` only when no point of it was refused and is kept here. */
export function growthStreamWord(stream: GrowthStream): StateWord {
  const { isDelivered, isClosed, isSent } = stream;
  if (isHeldBack(stream)) return { tone: 'attention', word: 'Needs you' };
  if (isDelivered) return { tone: 'ok', word: 'Delivered' };
  if (isClosed) return { tone: 'busy', word: 'Finishing' };
  return isSent ? { tone: 'ok', word: 'Open' } : { tone: 'busy', word: 'Not sent yet' };
}

/** The state of a RHEED session. */
export function sessionWord({ problem, endedMs, dataId }: GrowthSession): StateWord {
  if (problem !== '') return { tone: 'attention', word: 'Needs you' };
  if (endedMs !== null) return { tone: 'stopped', word: 'Ended' };
  return dataId === null ? { tone: 'busy', word: 'Counting, not sent yet' } : { tone: 'ok', word: 'Counting' };
}

/** Whether everything of a growth is at the service. */
export function growthWord({ state, parts }: Pick<Growth, 'state' | 'parts'>): StateWord {
  if (state === 'asks') return { tone: 'attention', word: 'Asks you' };
  if (state === 'running') return { tone: 'ok', word: 'Growing' };
  const streams = parts.flatMap((part) => part.streams);
  const isHeld = parts.some(({ rheed }) => rheed.some(({ problem }) => problem !== ''));
  if (isHeld) return { tone: 'attention', word: 'RHEED needs you' };
  if (streams.some(isHeldBack)) return { tone: 'attention', word: 'Points refused' };
  if (streams.length === 0) return { tone: 'stopped', word: 'No reading' };
  if (streams.every(({ isDelivered }) => isDelivered)) return { tone: 'ok', word: 'Delivered' };
  return { tone: 'busy', word: 'Being delivered' };
}
