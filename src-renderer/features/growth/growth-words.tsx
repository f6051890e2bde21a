// What was chosen for a growth, and how much of it there is, as facts.
import { formatCount } from '../../format/number.ts';
import type { Growth } from '../../state/growth.ts';
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
