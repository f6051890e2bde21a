import { Button } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';

const words = { copy: 'Copy link', copied: 'Copied.', failed: 'Copy it from the address line.' } as const;

/** The address of what is shown, to send to somebody who may open this page. It holds no key and no log-in. */
export function ShareLink() {
  const [told, setTold] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      setTold(words.copied);
    } catch {
      // A browser may refuse its clipboard.
      setTold(words.failed);
    }
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconLink size="1.125rem" aria-hidden="true" />}
        onClick={() => void copy()}
      >
        {words.copy}
      </Button>
      <span role="status">{told}</span>
    </>
  );
}
