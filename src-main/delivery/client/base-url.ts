// Which address may be given the key. The parsed host decides, never the text: `127.1` and `0x7f000001` are this PC,
// `localhost.example.com` and `127.0.0.1@example.com` are not.

export type BaseUrlCheck =
  | { readonly isValid: true /** Without trailing slash. */; readonly url: string }
  | { readonly isValid: false; readonly message: string; readonly hint: string };

/**
 * Say whether a host name is this PC by its own spelling.
 *
 * @param hostname - the `hostname` of a parsed URL.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Check the address of a service.
 *
 * @param text - what a person typed.
 * @returns the address to use, or what is wrong with it and what to do. https to any host, http to this PC only, without user
 *   name, query or fragment.
 */
export function checkBaseUrl(text: string): BaseUrlCheck {
  const refuse = (message: string, hint: string): BaseUrlCheck => ({ isValid: false, message, hint });
  const example = 'Give an address like https://host/base.';
  if (!URL.canParse(text.trim())) return refuse(`${JSON.stringify(text)} is not an address.`, example);
  const url = new URL(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse(`The address begins with ${url.protocol} instead of https:.`, example);
  }
  if (url.username || url.password || text.includes('@')) {
    return refuse('The address holds a user name or password.', 'Leave it out: the service knows you by its key.');
  }
  if (url.search || url.hash || /[?#]/.test(text)) return refuse('The address holds a ? or # part.', example);
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return refuse(
      `http to ${url.hostname} would send the key and the data readable.`,
      'Use https; http is for a service on this PC only.',
    );
  }
  return { isValid: true, url: url.href.replace(/\/+$/, '') };
}
