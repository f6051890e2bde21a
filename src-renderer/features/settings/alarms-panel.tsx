import { Button, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { agent } from '../../bridge.ts';
import { switchSound, useSoundSwitch } from '../../state/alarm-sound.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './settings.module.css';

const words = {
  title: 'Alarms that leave this PC',
  about:
    'What needs you for longer than 10 s is sent to the webhook and the e-mail addresses in the settings (alarm.webhook, alarm.mail), and once more when all is well again. Alarms are no interlock.',
  test: 'Send a test alarm',
  none: 'Nothing was sent: the settings name neither a webhook nor a mail server.',
  noneHint: 'Add alarm.webhook or alarm.mail to the settings file.',
  sound: 'Play a tone on this screen',
  soundAbout: 'A browser plays it only after a click or a key press: click once on the page after each reload.',
} as const;

/** Alarms beside the screen: a test of where they go, and the tone of this screen. */
export function AlarmsPanel() {
  const test = useMutation({ mutationFn: () => ask(agent.alarm.test(null)) });
  const isSoundOn = useSoundSwitch();
  return (
    <Panel title={words.title}>
      <div className={layout.stack} data-testid="alarm-ways">
        <p className={classes.files}>{words.about}</p>
        <div>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {words.test}
          </Button>
        </div>
        {test.error && <Notice tone="attention" isUrgent {...wordsOf(test.error)} />}
        {test.data?.length === 0 && <Notice tone="attention" isUrgent message={words.none} hint={words.noneHint} />}
        {test.data?.map(({ way, to, error }) => (
          <Notice
            key={way}
            tone={error ? 'attention' : 'ok'}
            isUrgent
            message={error ? `Not sent by ${way}: ${error.message}` : `Sent by ${way} to ${to}.`}
            hint={error?.hint ?? ''}
          />
        ))}
        <Switch
          label={words.sound}
          description={words.soundAbout}
          checked={isSoundOn}
          onChange={(event) => switchSound(event.currentTarget.checked)}
        />
      </div>
    </Panel>
  );
}
