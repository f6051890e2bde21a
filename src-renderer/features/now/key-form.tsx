import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agent } from '../../bridge.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';

/** Enter another API key while the service refuses the one it is given. The key goes in and is never shown again. */
export function KeyForm() {
  const [apiKey, setApiKey] = useState('');
  const keep = useMutation({
    mutationFn: () => ask(agent.service.keepKey({ apiKey })),
    onSuccess: () => setApiKey(''),
  });
  return (
    <form
      className={layout.closeStack}
      onSubmit={(event) => {
        event.preventDefault();
        if (apiKey !== '') keep.mutate();
      }}
    >
      <PasswordInput
        label="New API key"
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        value={apiKey}
        onChange={(event) => setApiKey(event.currentTarget.value)}
      />
      <Button type="submit" disabled={apiKey === ''} loading={keep.isPending}>
        Use this key
      </Button>
      {keep.error && <Notice tone="attention" isUrgent {...wordsOf(keep.error)} />}
      {keep.isSuccess && <Notice tone="busy" message="Kept. It is tried now." hint="" />}
    </form>
  );
}
