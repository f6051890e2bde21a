import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatCounted } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { type SettingsView, useConnectionTest, useSaveSettings } from '../../state/settings.ts';
import { useZonePreviews } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ConnectionResult } from './connection-result.tsx';
import { ServiceFields } from './service-fields.tsx';
import classes from './settings.module.css';
import { findFaults, type SettingsValues, toArgument, toQuestion, toValues } from './settings-values.ts';
import { StreamFields } from './stream-fields.tsx';
import { ToolFields } from './tool-fields.tsx';
import { words } from './words.ts';
import { ZonePreview } from './zone-preview.tsx';

/** One form for all of it: looked at together, saved together. */
export function SettingsForm({ settings, snapshot }: { settings: SettingsView; snapshot: Snapshot }) {
  const [values, setValues] = useState(() => toValues(settings));
  const [shownOf, setShownOf] = useState(settings);
  // The file was changed elsewhere: a form that nobody has touched follows it.
  if (shownOf !== settings) {
    setShownOf(settings);
    if (JSON.stringify(values) === JSON.stringify(toValues(shownOf))) setValues(toValues(settings));
  }
  const [isChecked, setChecked] = useState(false);
  const test = useConnectionTest();
  const save = useSaveSettings();
  const oldZone = settings.tool.timeZone;
  const previews = useZonePreviews(oldZone, values.timeZone);
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
  const isGood = isTested && (test.data?.kind === 'works' || test.data?.kind === 'embedded');
  const isSure = !isOtherWay || isGood;
  const isChanged = JSON.stringify(toArgument(values)) !== JSON.stringify(toArgument(toValues(settings)));
  const go = () => {
    setChecked(true);
    if (Object.keys(faults).length > 0 || !previews.isSeen) return;
    // The key has gone in; the form forgets it.
    save.mutate(toArgument(values), {
      onSuccess: () => {
        setValues((before) => ({ ...before, apiKey: '' }));
        // What was tested is what runs now.
        test.reset();
      },
    });
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
      <Panel title={words.where}>
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
              {words.test}
            </Button>
          </div>
          {test.error && <Notice tone="attention" isUrgent {...wordsOf(test.error)} />}
          {test.data && <ConnectionResult finding={test.data} isOld={!isTested} />}
          {isOtherService && (
            <Notice
              tone="attention"
              message={words.former}
              hint={`${waiting(snapshot.store?.waitingPoints ?? 0)} ${words.newOnes}`}
            />
          )}
        </div>
      </Panel>
      <Panel title={words.tool}>
        <ToolFields values={values} faults={shown} toolZone={snapshot.timeZone} onChange={change} />
        {values.timeZone !== oldZone && <ZonePreview previews={previews} oldZone={oldZone} zone={values.timeZone} />}
      </Panel>
      <Panel title={words.streams}>
        <StreamFields values={values} faults={shown} onChange={change} />
      </Panel>
      <Panel title={words.saveTitle}>
        <div className={layout.closeStack}>
          <p className={classes.files}>
            {words.files} <bdi>{settings.file}</bdi>. {words.folder} <bdi>{settings.dataFolder}</bdi>.
          </p>
          {isChecked && Object.keys(faults).length > 0 && (
            <Notice tone="attention" isUrgent message={words.missing} hint={words.missingHelp} />
          )}
          {save.error && <Notice tone="attention" isUrgent {...wordsOf(save.error)} />}
          {save.isSuccess && <Notice tone="ok" isUrgent message={words.saved} />}
          {isChanged && <Notice tone="busy" message={words.restarts} hint={words.restartsHelp} />}
          <div className={classes.actions}>
            <Button
              type="submit"
              size="lg"
              disabled={!isChanged || !previews.isSeen}
              variant={isSure ? 'filled' : 'default'}
              loading={save.isPending}
            >
              {isSure ? words.save : words.saveUntested}
            </Button>
            <Button variant="default" size="lg" disabled={!isChanged} onClick={() => change(toValues(settings))}>
              {words.discard}
            </Button>
          </div>
        </div>
      </Panel>
    </form>
  );
}

function waiting(points: number): string {
  if (points === 0) return words.formerDone;
  return words.formerWaiting(formatCounted(points, 'point'));
}
