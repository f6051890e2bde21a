import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agent } from '../../bridge.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import { forgetDraft, useDraft } from '../../state/draft.ts';
import { useLogPreview } from '../../state/sources.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LogPreview } from '../../ui/sources/log-preview.tsx';
import { MissingFields } from '../../ui/sources/missing-fields.tsx';
import { type ConnectValues, findFaults, firstValues, toArgument, toPreviewArgument } from './connect-values.ts';
import classes from './first-run.module.css';
import { FolderFields, ServiceFields, ToolFields } from './form-fields.tsx';

const DRAFT = 'connect';

/** Connect a real tool: name it, name its folder, look at what is read there, and go. */
export function ConnectForm({ onBack }: { onBack: () => void }) {
  const [values, change] = useDraft<ConnectValues>(DRAFT, firstValues);
  const [isChecked, setChecked] = useState(false);
  const preview = useLogPreview();
  const connect = useMutation({ mutationFn: () => ask(agent.tool.connect(toArgument(values))) });

  const faults = findFaults(values);
  const shownFaults = isChecked ? faults : {};
  const isSeen = preview.variables !== undefined && isSame(preview.variables, toPreviewArgument(values));
  const isSeenWell =
    isSeen &&
    preview.data !== undefined &&
    preview.data.problem === '' &&
    preview.data.files > 0 &&
    preview.data.clock === null;
  const look = () => {
    setChecked(true);
    if (!faults.folder && !faults.match && !faults.timeZone) preview.mutate(toPreviewArgument(values));
  };
  const takeZone = (timeZone: string) => {
    change({ timeZone });
    preview.mutate(toPreviewArgument({ ...values, timeZone }));
  };
  const go = () => {
    setChecked(true);
    if (Object.keys(faults).length === 0) connect.mutate(undefined, { onSuccess: () => forgetDraft(DRAFT) });
  };

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <h1 className={classes.welcome}>Connect your tool</h1>
      <Panel title="1. The tool">
        <ToolFields values={values} faults={shownFaults} onChange={change} />
      </Panel>
      <Panel title="2. Its logs">
        <FolderFields values={values} faults={shownFaults} onChange={change} />
        <Button variant={isSeenWell ? 'default' : 'filled'} loading={preview.isPending} onClick={look}>
          Preview
        </Button>
        {preview.error && <Notice tone="attention" isUrgent {...wordsOf(preview.error)} />}
        {preview.data && (
          <LogPreview preview={preview.data} zone={preview.variables.timeZone} isOld={!isSeen} onZone={takeZone} />
        )}
      </Panel>
      <Panel title="3. Where the data goes">
        <ServiceFields values={values} faults={shownFaults} onChange={change} />
      </Panel>
      {connect.error && <Notice tone="attention" isUrgent {...wordsOf(connect.error)} />}
      {isChecked && Object.keys(faults).length > 0 && <MissingFields />}
      <div className={classes.actions}>
        <Button
          variant="default"
          size="lg"
          onClick={() => {
            forgetDraft(DRAFT);
            onBack();
          }}
        >
          Back
        </Button>
        <Button
          type="submit"
          size="lg"
          variant={isSeenWell ? 'filled' : 'default'}
          loading={connect.isPending || connect.isSuccess}
        >
          {isSeenWell ? 'Go' : 'Continue without a preview'}
        </Button>
      </div>
    </form>
  );
}

function isSame(seen: object, now: object): boolean {
  return JSON.stringify(seen) === JSON.stringify(now);
}
