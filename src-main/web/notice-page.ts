// What a browser gets that has no session: plain words, no script.
import { makeNonce, securityHeaders } from './page.ts';

/**
 * Write a plain page with a heading and one sentence. Takes the HTTP status and our own words; never anything that came in
 * with a request.
 */
export function noticePage(status: number, heading: string, sentence: string): Response {
  const nonce = makeNonce();
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Epistream</title>
<style nonce="${nonce}">
  body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 20vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.6rem; line-height: 1.3; }
</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${sentence}</p>
</main>
</body>
</html>`;
  return new Response(html, {
    status,
    headers: { ...securityHeaders(nonce), 'Content-Type': 'text/html; charset=utf-8' },
  });
}
