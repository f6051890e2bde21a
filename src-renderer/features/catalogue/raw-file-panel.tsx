import { Button, Progress, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatBytes } from '../../format/size.ts';
import { wordsOf } from '../../state/ask.ts';
import { useRawLink } from '../../state/catalogue.ts';
import { type Download, useCancelDownload, useDownloads, useStartDownload } from '../../state/download.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

/** The folder that was named last; it is rarely another one for the next file. */
let lastFolder: string | null = null;

/** The raw file of an entry: saved into a folder of the agent's PC, or opened by a link. */
export function RawFilePanel({ dataId, name }: { dataId: string; name: string }) {
  const [typed, setTyped] = useState(lastFolder);
  const downloads = useDownloads();
  const start = useStartDownload();
  const link = useRawLink(dataId);
  const folder = typed ?? downloads.data?.suggestedFolder ?? '';
  const own = (downloads.data?.downloads ?? []).filter((download) => download.dataId === dataId);
  return (
    <Panel title="Raw file">
      <div className={layout.stack}>
        <form
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault();
            lastFolder = folder;
            start.mutate({ dataId, name, folder: folder.trim() });
          }}
        >
          <TextInput
            label="Folder to save it in"
            description="On the PC on which Epistream runs: the download folder, or one that the settings file names under downloads. A file that is there already is kept."
            spellCheck={false}
            maxLength={4096}
            value={folder}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <div className={classes.actions}>
            <Button type="submit" disabled={folder.trim() === ''} loading={start.isPending}>
              Save
            </Button>
            <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
              Make a link
            </Button>
          </div>
        </form>
        {start.error && <Notice tone="attention" isUrgent {...wordsOf(start.error)} />}
        <QueryFault fault={faultOf(downloads)} />
        {own.map((download) => (
          <DownloadItem key={download.id} download={download} />
        ))}
        {link.error && <Notice tone="attention" isUrgent {...wordsOf(link.error)} />}
        {link.data && <LinkToFile {...link.data} />}
      </div>
    </Panel>
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

/** One download: how far it is with a way to cancel, then where the file is, or why there is none. */
function DownloadItem({ download }: { download: Download }) {
  const { id, state, receivedBytes, totalBytes, path, originalName, message, hint } = download;
  const cancel = useCancelDownload();
  if (state === 'done') {
    const savedName = path.split(/[\\/]/).at(-1);
    const renamed = originalName !== '' && originalName !== savedName ? `The service calls it ${originalName}.` : '';
    return <Notice tone="ok" isUrgent message={`Saved as ${path} (${formatBytes(receivedBytes)}).`} hint={renamed} />;
  }
  if (state === 'failed') return <Notice tone="attention" isUrgent message={message} hint={hint} />;
  if (state === 'cancelled') return <Notice tone="stopped" isUrgent message="Cancelled; nothing of it was kept." />;
  const part = totalBytes ? (100 * receivedBytes) / totalBytes : 100;
  return (
    <div className={classes.progress}>
      <Progress.Root size="lg">
        <Progress.Section value={part} aria-label="Part of the file that is here" striped={totalBytes === null} />
      </Progress.Root>
      <span role="status">
        {formatBytes(receivedBytes)}
        {totalBytes !== null && ` of ${formatBytes(totalBytes)}`}
      </span>
      <Button variant="default" onClick={() => cancel.mutate(id)}>
        Cancel
      </Button>
    </div>
  );
}
