import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatPlain } from '../../format/number.ts';
import { wordsOf } from '../../state/ask.ts';
import { type LimitEntry, useChangeLimit, useLimits } from '../../state/limits.ts';
import { usePlotChannels } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { channelKey } from '../../ui/plot/line-key.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { RadioChoice } from '../../ui/radio-choice.tsx';
import { findLimitFaults, type LimitValues, NO_LIMIT, NUMBERS, toLimitEntry, toLimitValues } from './limit-values.ts';
import classes from './settings.module.css';

const words = {
  title: 'Limits of channels',
  about:
    'A value beyond a limit is told in the headline, the journal, the growth and the tray until a person acknowledges it. Epistream acts on nothing: limits are no interlock.',
  none: 'No channel has limits.',
  fields: {
    hihi: { label: 'HiHi', description: 'At or above: the worse alarm' },
    hi: { label: 'Hi', description: 'At or above: an alarm' },
    lo: { label: 'Lo', description: 'At or below: an alarm' },
    lolo: { label: 'LoLo', description: 'At or below: the worse alarm' },
    deadband: { label: 'Deadband', description: 'So far inside of the limit the value is within again' },
    onDelayS: { label: 'On delay (s)', description: 'Beyond for so long before it counts' },
    offDelayS: { label: 'Off delay (s)', description: 'Within for so long before it counts' },
  },
  when: { growth: 'Only while a growth is under way', always: 'Always' },
} as const;

/** The limits of channels: those that there are, and a form for one. */
export function LimitsPanel() {
  const limits = useLimits();
  const { save, remove } = useChangeLimit();
  const [values, setValues] = useState<LimitValues>(NO_LIMIT);
  const [isChecked, setChecked] = useState(false);
  const known = usePlotChannels().data ?? [];
  const entries = limits.data ?? [];
  const places = new Map([...known, ...entries].map((one) => [channelKey(one), one]));
  const faults = findLimitFaults(values);
  const change = (part: Partial<LimitValues>) => {
    save.reset();
    setValues((before) => ({ ...before, ...part }));
  };
  const choose = (key: string) => {
    const entry = entries.find((one) => channelKey(one) === key);
    change(entry ? toLimitValues(entry, key) : { key });
  };
  const go = () => {
    setChecked(true);
    const where = places.get(values.key);
    if (Object.keys(faults).length > 0 || where === undefined) return;
    const { sourceId, channel } = where;
    save.mutate(toLimitEntry(values, { sourceId, channel }), {
      onSuccess: () => {
        setValues(NO_LIMIT);
        setChecked(false);
      },
    });
  };
  const error = save.error ?? remove.error;
  return (
    <Panel title={words.title}>
      <form
        className={layout.stack}
        noValidate
        data-testid="limits"
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <p className={classes.files}>{words.about}</p>
        <QueryFault fault={faultOf(limits)} />
        {limits.data && entries.length === 0 && <Quiet>{words.none}</Quiet>}
        {entries.length > 0 && (
          <ul className={classes.limits}>
            {entries.map((entry) => (
              <li key={channelKey(entry)}>
                <span>
                  <bdi>{entry.channel}</bdi> (<bdi>{entry.sourceId}</bdi>): {levelsOf(entry)}
                </span>
                <Button
                  variant="default"
                  aria-label={`Change ${entry.channel}`}
                  onClick={() => choose(channelKey(entry))}
                >
                  Change
                </Button>
                <Button
                  variant="default"
                  aria-label={`Remove ${entry.channel}`}
                  onClick={() => remove.mutate({ sourceId: entry.sourceId, channel: entry.channel })}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Select
          label="Channel"
          data={[...places].map(([value, { channel, sourceId }]) => ({ value, label: `${channel} (${sourceId})` }))}
          searchable
          limit={100}
          value={values.key || null}
          error={isChecked ? faults.key : undefined}
          onChange={(key) => choose(key ?? '')}
        />
        <div className={layout.fields}>
          {NUMBERS.map((name) => (
            <TextInput
              key={name}
              {...words.fields[name]}
              inputMode="decimal"
              maxLength={40}
              value={values[name]}
              error={isChecked ? faults[name] : undefined}
              onChange={(event) => change({ [name]: event.currentTarget.value })}
            />
          ))}
          <TextInput
            label="What to do"
            description="Shown with the alarm"
            maxLength={500}
            value={values.guidance}
            onChange={(event) => change({ guidance: event.currentTarget.value })}
          />
        </div>
        <RadioChoice
          label="Watched"
          choices={words.when}
          value={values.isAlways ? 'always' : 'growth'}
          onChange={(when) => change({ isAlways: when === 'always' })}
        />
        <div>
          <Button type="submit" loading={save.isPending}>
            Save the limits
          </Button>
        </div>
        {error && <Notice tone="attention" isUrgent {...wordsOf(error)} />}
        {save.isSuccess && <Notice tone="ok" message="Saved and active." />}
      </form>
    </Panel>
  );
}

/** "HiHi 650, Lo 20, in growths". */
function levelsOf(entry: LimitEntry): string {
  const levels = (['hihi', 'hi', 'lo', 'lolo'] as const).flatMap((name) => {
    const limit = entry[name];
    return limit === null ? [] : [`${words.fields[name].label} ${formatPlain(limit)}`];
  });
  return `${levels.join(', ')}; ${entry.isAlways ? 'always' : 'in growths'}`;
}
