import { Checkbox, Radio, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { type Project, type Sample, useSetSamples } from '../../state/library.ts';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { FormEnd } from './form-end.tsx';
import classes from './library.module.css';

interface SamplesFormProps {
  /** Null: named by an id that is typed here. */
  project: Project | null;
  samples: readonly Sample[];
  onDone: () => void;
}

/** Samples listed at once; a search finds the others. */
const LISTED_MAX = 50;
const IDS_MAX = 1000;

/** Choose the samples of a project: from those that are known, and by typed ids; added, or in place of all it has. */
export function SamplesForm({ project, samples, onDone }: SamplesFormProps) {
  const [typedProject, setTypedProject] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(project?.sampleIds ?? []));
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [way, setWay] = useState('add');
  const change = useSetSamples();
  const wanted = search.trim().toLowerCase();
  const found = samples.filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(wanted));
  const typedIds = typed.split(/[\s,;]+/).filter((id) => id !== '');
  const sampleIds = [...new Set([...chosen, ...typedIds])].slice(0, IDS_MAX);
  const projectId = project?.id ?? typedProject.trim();
  const isReplacing = way === 'replace';
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const names = new Map(samples.map(({ id, name }) => [id, name]));
  return (
    <form
      className={classes.form}
      aria-label={`Samples of ${project?.name || projectId || 'a project'}`}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ projectId, sampleIds, isReplacing });
      }}
    >
      {project === null && (
        <TextInput
          label="Id of the project"
          spellCheck={false}
          maxLength={200}
          value={typedProject}
          onChange={(event) => setTypedProject(event.currentTarget.value)}
        />
      )}
      {samples.length > LISTED_MAX / 5 && (
        <TextInput label="Search samples" value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
      )}
      <fieldset className={classes.choices}>
        <legend>Samples that entries of the catalogue name</legend>
        {found.length === 0 && <Quiet>{samples.length === 0 ? 'None is known.' : 'None has these words.'}</Quiet>}
        {found.slice(0, LISTED_MAX).map(({ id, name, entries }) => (
          <Checkbox
            key={id}
            label={
              <>
                <bdi>{name || id}</bdi> ({formatCounted(entries, 'entry', 'entries')})
              </>
            }
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
          />
        ))}
        {found.length > LISTED_MAX && <Quiet>{found.length - LISTED_MAX} more: search for them.</Quiet>}
      </fieldset>
      <Textarea
        label="Further samples by id"
        description="One per line"
        rows={2}
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Radio.Group label="How" value={way} onChange={setWay}>
        <div className={classes.radios}>
          <Radio value="add" label="Add them to those it has" />
          <Radio value="replace" label="Replace all" />
        </div>
      </Radio.Group>
      {isReplacing && sampleIds.length === 0 && (
        <Notice tone="attention" message="None is chosen: the project would have no sample afterwards." />
      )}
      <FormEnd
        error={change.error}
        word={isReplacing ? 'Replace samples' : 'Add samples'}
        isBusy={change.isPending}
        isDisabled={projectId === '' || (sampleIds.length === 0 && !isReplacing)}
        back="Close"
        onBack={onDone}
      >
        {change.data && (
          <Notice
            tone="ok"
            isUrgent
            message={`The project now has ${formatCounted(change.data.sampleIds.length, 'sample')}.`}
            hint={change.data.sampleIds.map((id) => names.get(id) ?? id).join(', ')}
          />
        )}
      </FormEnd>
    </form>
  );
}
