import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { agent } from '../../bridge.ts';
import { formatBytes } from '../../format/size.ts';
import { ask, wordsOf } from '../../state/ask.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './help.module.css';

/** One file for the people who help: without measured values and without the key. */
export function SupportPanel({ version }: { version: string }) {
  const bundle = useMutation({ mutationFn: () => ask(agent.support.makeBundle(null)) });
  return (
    <div className={layout.stack}>
      <Quiet>
        One file with settings, journal, versions and states. It holds no measured value and no key. This is Epistream{' '}
        {version}; the file stays on this PC until you send it.
      </Quiet>
      <div>
        <Button variant="default" loading={bundle.isPending} onClick={() => bundle.mutate()}>
          Make the file
        </Button>
      </div>
      {bundle.error && <Notice tone="attention" isUrgent {...wordsOf(bundle.error)} />}
      {bundle.data && (
        <div className={layout.stack} data-testid="bundle">
          <Notice tone="ok" isUrgent message={`Made: ${formatBytes(bundle.data.sizeBytes)}.`} hint="Send this file." />
          <CopyText label="Location" text={bundle.data.path} rows={2} />
          <div>
            In it:
            <ul className={classes.parts}>
              {bundle.data.parts.map((part) => (
                <li key={part}>{part}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}
