import { Button, Textarea, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCounted } from '../../format/number.ts';
import { type Known, type Project, useCreateProject } from '../../state/library.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { FormEnd } from './form-end.tsx';
import classes from './library.module.css';
import { SamplesForm } from './samples-form.tsx';

/** Key of the form for a project that is named by its typed id. */
const TYPED = 'typed';
const SHOWN_FIRST = 12;

/** The projects that are known here, with their samples; making one, and naming one by its id. */
export function ProjectsPanel({ known }: { known: UseQueryResult<Known> }) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const [shown, setShown] = useState(SHOWN_FIRST);
  const create = useCreateProject();
  const { projects = [], samples = [], looked = 0, isWhole = false, problem = '', hint = '' } = known.data ?? {};
  return (
    <Panel
      title="Projects and samples"
      aside={
        !isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            New project
          </Button>
        )
      }
    >
      <div className={layout.closeStack} data-testid="projects">
        {isOpen && <ProjectForm create={create} onDone={() => setOpen(false)} />}
        {create.data && (
          <Notice
            tone={create.data.isKept ? 'ok' : 'attention'}
            isUrgent
            message={`The project ${create.variables.name} has the id ${create.data.id}.`}
            hint={create.data.isKept ? '' : 'This PC could not note it down: write the id down yourself.'}
          />
        )}
        <Answered
          isPending={known.isPending}
          fault={faultOf(known)}
          loading="Looking for projects in the newest entries."
        >
          {problem !== '' && <Notice tone="attention" message={problem} hint={hint} />}
          {projects.length === 0 && <Quiet>No project is known here yet.</Quiet>}
          <ul className={classes.items}>
            {projects.slice(0, shown).map((project) => (
              <li key={project.id}>
                <ProjectItem project={project} onEdit={() => setEdited(edited === project.id ? null : project.id)} />
                {edited === project.id && (
                  <SamplesForm project={project} samples={samples} onDone={() => setEdited(null)} />
                )}
              </li>
            ))}
          </ul>
          {projects.length > shown && (
            <Button variant="default" className={classes.alone ?? ''} onClick={() => setShown(shown + SHOWN_FIRST)}>
              Show more
            </Button>
          )}
          {edited === TYPED ? (
            <SamplesForm project={null} samples={samples} onDone={() => setEdited(null)} />
          ) : (
            <Button variant="default" className={classes.alone ?? ''} onClick={() => setEdited(TYPED)}>
              Another project by its id
            </Button>
          )}
          <Quiet>
            Made from this PC, or named by{' '}
            {isWhole ? `the ${formatCounted(looked, 'entry', 'entries')}` : `the newest ${looked} entries`} of the
            catalogue: the service does not list its projects and samples, so there may be others.
          </Quiet>
        </Answered>
      </div>
    </Panel>
  );
}

function ProjectItem({ project, onEdit }: { project: Project; onEdit: () => void }) {
  const { id, name, notes, entries, sampleIds } = project;
  const words = [
    entries > 0 ? formatCounted(entries, 'entry', 'entries') : '',
    sampleIds === null ? '' : formatCounted(sampleIds.length, 'sample'),
    id,
  ];
  return (
    <div className={classes.itemRow}>
      <div className={classes.itemText}>
        <strong>
          <bdi>{name === '' ? 'Without a known name' : name}</bdi>
        </strong>
        {notes !== '' && <bdi className={classes.note}>{notes}</bdi>}
        <bdi className={classes.under}>{words.filter((word) => word !== '').join(' · ')}</bdi>
      </div>
      <Button variant="default" aria-label={`Samples of ${name || id}`} onClick={onEdit}>
        Samples
      </Button>
    </div>
  );
}

function ProjectForm({ create, onDone }: { create: ReturnType<typeof useCreateProject>; onDone: () => void }) {
  const [name, setName] = useState('');
  const [notes, setNotes] = useState('');
  const [isChecked, setChecked] = useState(false);
  return (
    <form
      className={classes.form}
      noValidate
      aria-label="New project"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (name.trim() !== '') create.mutate({ name: name.trim(), notes: notes.trim() }, { onSuccess: onDone });
      }}
    >
      <TextInput
        label="Name of the project"
        maxLength={300}
        value={name}
        error={isChecked && name.trim() === '' ? 'Give it a name; the service takes none without.' : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Notes"
        description="Optional"
        rows={3}
        maxLength={10_000}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
      <FormEnd error={create.error} word="Create project" isBusy={create.isPending} back="Cancel" onBack={onDone} />
    </form>
  );
}
