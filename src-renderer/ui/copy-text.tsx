import { Button, Textarea } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useRef, useState } from 'react';

interface CopyTextProps {
  label: string;
  text: string;
  rows?: number;
}

/** A text to take along: it can be read, selected by hand, and copied with one press. */
export function CopyText({ label, text, rows = 14 }: CopyTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState('');
  const copy = () => {
    field.current?.select();
    // The way that needs no permission; windows that refuse the clipboard leave the text selected.
    setCopied(document.execCommand('copy') ? 'Copied.' : 'Press Ctrl+C: the text is selected.');
  };
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: '0.8rem' }}>
      <Textarea
        ref={field}
        label={label}
        size="sm"
        value={text}
        readOnly
        rows={rows}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <div style={{ display: 'flex', alignItems: 'center', gap: '1rem' }}>
        <Button variant="default" leftSection={<IconCopy size="1.125rem" aria-hidden="true" />} onClick={copy}>
          Copy
        </Button>
        <span role="status">{copied}</span>
      </div>
    </div>
  );
}
