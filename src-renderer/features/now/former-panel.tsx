import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormerView } from '../../../src-main/contract/snapshot.ts';
import { agent } from '../../bridge.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { formerSentence, formerWords } from './former-words.ts';
import classes from './now.module.css';

/** What waits for services that the settings no longer name, each with its choice; nothing while nothing does. */
export function FormerPanel({ former }: { former: readonly FormerView[] }) {
  if (former.length === 0) return null;
  return (
    <Panel title={formerWords.title}>
      <div className={layout.closeStack} data-testid="former">
        {former.map((one) => (
          <FormerItem key={one.service} former={one} />
        ))}
      </div>
    </Panel>
  );
}

type Way = Parameters<typeof agent.service.chooseFormer>[0]['way'];

const TONES = { asks: 'attention', sending: 'busy', kept: 'stopped' } as const;

function FormerItem({ former }: { former: FormerView }) {
  const { service, state, message, hint, hasKey } = former;
  const [apiKey, setApiKey] = useState('');
  const choose = useMutation({
    mutationFn: (way: Way) => ask(agent.service.chooseFormer({ service, way, apiKey: way === 'send' ? apiKey : '' })),
    onSuccess: () => setApiKey(''),
  });
  const isBuiltIn = service === 'embedded';
  const button = (way: Way, label: string, isOff = false) => (
    <Button
      variant={way === 'send' && state === 'asks' ? 'filled' : 'default'}
      disabled={isOff}
      loading={choose.isPending && choose.variables === way}
      onClick={() => choose.mutate(way)}
    >
      {label}
    </Button>
  );
  const needsKey = !hasKey && state !== 'sending';
  return (
    <div className={layout.closeStack} data-testid="former-service">
      <Notice tone={TONES[state]} message={formerSentence(former)} hint={[message, hint].join(' ').trim()} />
      {needsKey && (
        <PasswordInput
          label={formerWords.key}
          description={formerWords.keyHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
        />
      )}
      <div className={classes.choices}>
        {state !== 'sending' && button('send', formerWords.send(isBuiltIn), needsKey && apiKey === '')}
        {button('move', formerWords.move)}
        {state !== 'kept' && button('keep', formerWords.keep)}
      </div>
      <p className={classes.choiceHint}>{formerWords.moveHint}</p>
      {choose.error && <Notice tone="attention" isUrgent {...wordsOf(choose.error)} />}
    </div>
  );
}
