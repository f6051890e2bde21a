// What the screen asks of the catalogue, over the typed client. The key stays with the client; every answer is bounded.
import { isIP } from 'node:net';
import { FRAMES_MAX, LINES_MAX } from '../../../contract/catalogue.ts';
import type { Handlers } from '../../../contract/table.ts';
import { classifyAddress } from '../../../delivery/client/address-class.ts';
import type { OpticalFrames } from '../../../interface/resources.ts';
import type { ServiceLink } from '../../service-link/service-link.ts';
import type { PageQuestions } from '../page-questions.ts';
import { retell } from '../retell.ts';
import { viewSims, viewXps } from './analysis-view.ts';
import { cut, fieldsOf, viewEntry, viewEntryDetail } from './entry-view.ts';
import { fetchPicture } from './fetch-picture.ts';
import type { RawDownloads } from './raw-downloads.ts';
import { readEntrySeries } from './read-entry-series.ts';
import { untag } from './untag.ts';

type Catalogue = Handlers['catalogue'];

/** The calls for the catalogue. `link` throws while nothing runs. */
export function catalogueHandlers(link: () => ServiceLink, questions: PageQuestions, raw: RawDownloads): Catalogue {
  /** Ask the service something that the page may give up. */
  const read = <T>(ticket: string, work: (service: ServiceLink, signal: AbortSignal) => Promise<T>, what = '') =>
    questions.ask(ticket, (signal) => retell('read', work(link(), signal), what));
  return {
    list: ({ ticket, dataIds, sampleIds, type, status, keywords, isOrganization, limit, offset }) =>
      read(ticket, async ({ client }, signal) => {
        const request = {
          ...(dataIds.length > 0 ? { data_ids: dataIds } : {}),
          ...(sampleIds.length > 0 ? { physical_sample_ids: sampleIds } : {}),
          ...(type === '' ? {} : { data_type: type }),
          ...(keywords.length > 0 ? { keywords } : {}),
          status,
          include_organization_data: isOrganization,
          limit,
          offset,
        };
        const entries = await client.listDataEntries(request, { signal });
        // A service that gives more than was asked for shall not fill the page.
        return { entries: entries.slice(0, limit).map(viewEntry), isLast: entries.length < limit };
      }),
    entry: ({ ticket, dataId }) =>
      read(ticket, async ({ client }, signal) => {
        const entries = await client.listDataEntries({ data_ids: [dataId], limit: 1 }, { signal });
        const found = entries.find(({ data_id }) => data_id === dataId);
        return found ? viewEntryDetail(found) : null;
      }),
    series: ({ ticket, dataId, maxPoints }) =>
      read(ticket, ({ client }, signal) => readEntrySeries(client, dataId, maxPoints, signal), 'time series'),
    rheedSettings: ({ ticket, dataId }) =>
      read(
        ticket,
        async ({ client }, signal) => {
          const settings = await client.readRheedSettings({ data_id: dataId }, { signal });
          return {
            name: cut(settings.data_item_name ?? ''),
            fps: settings.fps_capture_rate ?? null,
            rotationalPeriod: settings.rotational_period ?? null,
            rotationsPerMin: settings.rotations_per_min ?? null,
            sampleId: settings.physical_sample_id ?? null,
            createdSample: settings.create_physical_sample_name ?? null,
            projectId: settings.project_id ?? null,
          };
        },
        'RHEED session',
      ),
    rheedMetadata: ({ ticket, dataId }) =>
      read(
        ticket,
        async ({ client }, signal) => {
          const found = await client.readRheedMetadata({ data_ids: [dataId] }, { signal });
          const own = found.find(({ data_id }) => data_id === dataId);
          if (!own) return null;
          return {
            fps: own.fps ?? null,
            frames: own.total_frames ?? null,
            innerStart: own.inner_start ?? null,
            innerEnd: own.inner_end ?? null,
            outerStart: own.outer_start ?? null,
            outerEnd: own.outer_end ?? null,
          };
        },
        'processed video',
      ),
    frames: ({ ticket, dataId }) =>
      read(
        ticket,
        async ({ client }, signal) => {
          const { frames } = await client.readOpticalFrames({ data_id: dataId }, { signal });
          return { frames: (frames ?? []).slice(0, FRAMES_MAX).map(viewFrame), total: frames?.length ?? 0 };
        },
        'frames',
      ),
    picture: ({ ticket, dataId }) =>
      read(ticket, (service, signal) => fetchPicture(service, dataId, signal), 'picture'),
    xps: ({ ticket, dataId }) =>
      read(
        ticket,
        async ({ client }, signal) => viewXps(await client.readXps({ data_id: dataId }, { signal })),
        'XPS spectrum',
      ),
    sims: ({ ticket, dataId }) =>
      read(
        ticket,
        async ({ client }, signal) => {
          const profiles = await client.readSims({ data_id: dataId }, { signal });
          return {
            profiles: profiles.slice(0, LINES_MAX).map(viewSims),
            left: Math.max(0, profiles.length - LINES_MAX),
          };
        },
        'SIMS profile',
      ),
    rawFile: async (wanted) => raw.prepare(link().client, wanted),
    rawLink: ({ ticket, dataId }) =>
      read(
        ticket,
        async ({ client }, signal) => {
          const link = await client.readRawData({ data_id: dataId, return_as: 'url-download' }, { signal });
          return { url: openable(link.url), fileName: cut(link.file_name ?? ''), format: cut(link.file_format ?? '') };
        },
        'raw file',
      ),
    untag: ({ ticket, dataIds, tagIds }) =>
      questions.ask(ticket, async (signal) => ({ failed: await untag(link().client, { dataIds, tagIds }, signal) })),
    giveUp: async ({ ticket }) => {
      questions.giveUp(ticket);
      return null;
    },
  };
}

function viewFrame(frame: NonNullable<OpticalFrames['frames']>[number]) {
  const { file_type, width, height, ...more } = frame.processed_file_metadata ?? {};
  return {
    imageId: frame.image_uuid ?? null,
    fileType: cut(file_type ?? ''),
    widthPx: width ?? null,
    heightPx: height ?? null,
    more: fieldsOf(more, []),
  };
}

/**
 * Only a web address becomes a link: `javascript:` and the like would run in the page. One with a user name reads as another
 * host than it leads to, and no service stands at a link-local address, where routers and cloud machines tell secrets.
 * Empty: there is none to open.
 */
function openable(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, username, password, hostname } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  const isNowhere = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && classifyAddress(hostname) === 'never';
  return isWeb && username === '' && password === '' && !isNowhere ? text : '';
}
