import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { type SettingsView, useConnectionTest, useSaveSettings } from '../../state/settings.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ConnectionResult } from './connection-result.tsx';
import { ServiceFields } from './service-fields.tsx';
import classes from './settings.module.css';
import { findFaults, type SettingsValues, toArgument, toQuestion, toValues } from './settings-values.ts';
import { StreamFields } from './stream-fields.tsx';
import { ToolFields } from './tool-fields.tsx';

/** One form for all of it: looked at together, saved together. */
export function SettingsForm({ settings, snapshot }: { settings: SettingsView; snapshot: Snapshot }) {
  const [values, setValues] = useState(() => toValues(settings));
  const [isChecked, setChecked] = useState(false);
  const test = useConnectionTest();
  const save = useSaveSettings();
  const change = (part: Partial<SettingsValues>) => {
    save.reset();
    setValues((before) => ({ ...before, ...part }));
  };
  const faults = findFaults(values);
  const shown = isChecked ? faults : {};
  const question = toQuestion(values);
  const now = toQuestion(toValues(settings));
  const isOtherWay = JSON.stringify(question) !== JSON.stringify(now);
  const isOtherService = question.url !== now.url;
  const isTested = test.variables !== undefined && JSON.stringify(test.variables) === JSON.stringify(question);
  const isGood = isTested && (test.data?.is === 'works' || test.data?.is === 'embedded');
  const isSure = !isOtherWay || isGood;
  const isChanged = JSON.stringify(toArgument(values)) !== JSON.stringify(toArgument(toValues(settings)));
  const go = () => {
    setChecked(true);
    if (Object.keys(faults).length > 0) return;
    // The key has gone in; the form forgets it.
    save.mutate(toArgument(values), { onSuccess: () => setValues((before) => ({ ...before, apiKey: '' })) });
  };
  return (
    <form
      className={layout.column}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <Panel title="Where the data goes">
        <ServiceFields values={values} faults={shown} keyFor={settings.keyFor} onChange={change} />
        <div className={`${layout.closeStack} ${classes.test}`}>
          <div>
            <Button
              variant={isSure ? 'default' : 'filled'}
              loading={test.isPending}
              onClick={() => {
                setChecked(true);
                if (!faults.address) test.mutate(question);
              }}
            >
              Test the connection
            </Button>
          </div>
          {test.error && <Notice tone="attention" isUrgent {...wordsOf(test.error)} />}
          {test.data && <ConnectionResult finding={test.data} isOld={!isTested} />}
          {isOtherService && (
            <Notice
              tone="attention"
              message="Streams that were begun at the former service stay with it."
              hint={`${waiting(snapshot.store?.waitingPoints ?? 0)} What comes from now on goes to the new one.`}
            />
          )}
        </div>
      </Panel>
      <Panel title="The tool">
        <ToolFields values={values} faults={shown} toolZone={snapshot.timeZone} onChange={change} />
      </Panel>
      <Panel title="How streams are cut">
        <StreamFields values={values} faults={shown} onChange={change} />
      </Panel>
      <Panel title="Save">
        <div className={layout.closeStack}>
          <p className={classes.files}>
            The settings stand in <bdi>{settings.file}</bdi>; comments in it stay. What is captured stands in{' '}
            <bdi>{settings.dataFolder}</bdi>.
          </p>
          {isChecked && Object.keys(faults).length > 0 && (
            <Notice tone="attention" isUrgent message="Some fields cannot be saved so." hint="They are marked above." />
          )}
          {save.error && <Notice tone="attention" isUrgent {...wordsOf(save.error)} />}
          {save.isSuccess && <Notice tone="ok" isUrgent message="Saved and active." />}
          {isChanged && (
            <Notice
              tone="busy"
              message="Saving restarts the recording."
              hint="That takes some seconds. Logs are read on from where they stood; a live instrument misses these seconds, and they are listed as a gap."
            />
          )}
          <div className={classes.actions}>
            <Button
              type="submit"
              size="lg"
              disabled={!isChanged}
              variant={isSure ? 'filled' : 'default'}
              loading={save.isPending}
            >
              {isSure ? 'Save' : 'Save without a good test'}
            </Button>
            <Button variant="default" size="lg" disabled={!isChanged} onClick={() => change(toValues(settings))}>
              Discard changes
            </Button>
          </div>
        </div>
      </Panel>
    </form>
  );
}

function waiting(points: number): string {
  if (points === 0) return 'All of them are delivered.';
  return `Up to ${formatCounted(points, 'point')} of them wait here: they are kept, and go out when the former address is set again.`;
}
