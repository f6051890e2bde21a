// Pictures of foreign origin: fetched by the agent from the pre-signed address (4.9 url-embed) without the key, bounded in
// bytes and pixels, known by their first bytes. The page gets nothing else to draw.
import type { z } from 'zod';
import type { PictureView } from '../../../contract/catalogue.ts';
import { readWhole } from '../../../delivery/client/incoming-file.ts';
import { AgentError } from '../../../model/agent-error.ts';
import type { ServiceLink } from '../../service-link/service-link.ts';
import { readPictureFacts } from './picture-facts.ts';

const SIZE_MAX_BYTES = 8 * 1024 * 1024;
/** A small file can hold a picture that fills the memory of a browser; this many pixels take 160 MB there. */
const PIXELS_MAX = 40_000_000;

function unfit(why: string): AgentError {
  return new AgentError({
    code: 'catalogue.no-picture',
    message: `This file is not shown as a picture: ${why}.`,
    hint: 'Save the file and open it with another program.',
  });
}

/**
 * Fetch the raw file of an entry, or a frame, as a picture.
 *
 * @returns the picture, base64.
 * @throws ServiceError of the calls, `service.link-refused`; `catalogue.no-picture` for what is no PNG, JPEG or GIF, or above 8
 *   MiB or 40 megapixels.
 */
export async function fetchPicture(
  { client, links }: Pick<ServiceLink, 'client' | 'links'>,
  dataId: string,
  signal: AbortSignal,
): Promise<z.infer<typeof PictureView>> {
  const link = await client.readRawData({ data_id: dataId, return_as: 'url-embed' }, { signal });
  const bytes = await links.download(link, { signal, maxBytes: SIZE_MAX_BYTES }, readWhole).catch((thrown) => {
    throw thrown?.code === 'service.file-too-large'
      ? unfit(`it has more than ${SIZE_MAX_BYTES / 1024 ** 2} MiB`)
      : thrown;
  });
  const facts = readPictureFacts(bytes);
  if (!facts) throw unfit('it is neither PNG, JPEG nor GIF');
  if (facts.widthPx * facts.heightPx > PIXELS_MAX) throw unfit(`it has ${facts.widthPx} x ${facts.heightPx} pixels`);
  return { ...facts, base64: bytes.toString('base64'), sizeBytes: bytes.length };
}
