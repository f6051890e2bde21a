import { Button, TextInput } from '@mantine/core';
import { formatBytes } from '../../format/size.ts';
import { wordsOf } from '../../state/ask.ts';
import { useRawLink, useSaveRawFile } from '../../state/catalogue.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

/** The raw file of an entry: saved by the browser, or opened by a link. */
export function RawFilePanel({ dataId, name }: { dataId: string; name: string }) {
  const save = useSaveRawFile({ dataId, name });
  const link = useRawLink(dataId);
  return (
    <Panel title="Raw file">
      <div className={layout.stack}>
        <div className={classes.actions}>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
          <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
            Make a link
          </Button>
        </div>
        {save.error && <Notice tone="attention" isUrgent {...wordsOf(save.error)} />}
        {save.data && <Saving {...save.data} />}
        {link.error && <Notice tone="attention" isUrgent {...wordsOf(link.error)} />}
        {link.data && <LinkToFile {...link.data} />}
      </div>
    </Panel>
  );
}

interface SavingProps {
  fileName: string;
  originalName: string;
  sizeBytes: number | null;
}

function Saving({ fileName, originalName, sizeBytes }: SavingProps) {
  const size = sizeBytes === null ? '' : ` (${formatBytes(sizeBytes)})`;
  const renamed = originalName === fileName ? '' : ` The service calls it ${originalName}.`;
  return (
    <Notice
      tone="busy"
      message={`Your browser saves ${fileName}${size}.`}
      hint={`Its list of downloads shows when the file is complete.${renamed}`}
    />
  );
}

function LinkToFile({ url, fileName, format }: { url: string; fileName: string; format: string }) {
  if (url === '') {
    return (
      <Notice tone="attention" message="The service gave an address that is not safe to open, or no web address." />
    );
  }
  return (
    <div className={layout.stack}>
      <a href={url} target="_blank" rel="noopener noreferrer" className={classes.link}>
        <bdi>{fileName || 'The raw file'}</bdi>
      </a>
      <TextInput
        label="Address"
        description="Opens the file for a short time without the key: give it only to whom the file may be given. From the desktop window, copy it into a browser."
        readOnly
        value={url}
        onFocus={(event) => event.currentTarget.select()}
      />
      {format !== '' && (
        <Quiet>
          Format: <bdi>{format}</bdi>
        </Quiet>
      )}
    </div>
  );
}
