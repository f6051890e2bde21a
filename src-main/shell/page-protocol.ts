// The page of the desktop window comes over a scheme of its own, never over http or file: its origin is ours alone, and
// what is not in the page's fixed map does not exist.
import { protocol } from 'electron';

export const PAGE_URL = 'app://epistream/';

/** Answers a path of the built page, or of a file that the agent gives, with its headers; or 404. */
export type PagePort = (path: string) => Response;

/** Declare the scheme; Electron takes this only before it is ready. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
}

/** Tell whether an address belongs to the page. */
export const isPageUrl = (url: string | undefined): boolean => url?.startsWith(PAGE_URL) === true;

/**
 * Serve the page over its scheme.
 *
 * @param page - the page. Requests that only look, to the page's own host, reach it; all others are answered 404.
 */
export function servePage(page: PagePort): void {
  protocol.handle('app', ({ url, method }) => {
    const isOurs = method === 'GET' && isPageUrl(url);
    return isOurs ? page(new URL(url).pathname) : new Response('Not found', { status: 404 });
  });
}
