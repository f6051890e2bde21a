import { isLoopbackHost } from '../../delivery/client/base-url.ts';
import { type FindProxy, proxyFromEnvironment } from '../../delivery/client/proxy.ts';

/**
 * Choose how proxies are found.
 *
 * @param proxy - `service.proxy` of the settings.
 * @param desktop - how the desktop finds one where the environment names none.
 * @returns the way to find one; a service on this PC is always reached straight.
 */
export function findProxyBy(proxy: string, desktop: FindProxy = async () => null): FindProxy {
  return async (url) => {
    if (proxy === 'none' || isLoopbackHost(new URL(url).hostname)) return null;
    return proxy === 'system' ? ((await proxyFromEnvironment(url)) ?? desktop(url)) : proxy;
  };
}
