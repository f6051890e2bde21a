// The service's own words for a fault. The shape of an error body is not specified; this reads the usual ones.

const WORDS_MAX = 300;

function wordsOfItem(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return '';
  const { loc, msg, message } = item as { loc?: unknown; msg?: unknown; message?: unknown };
  const text = typeof msg === 'string' ? msg : typeof message === 'string' ? message : '';
  const place = Array.isArray(loc) ? loc.join('.') : typeof loc === 'string' ? loc : '';
  return place && text ? `${place}: ${text}` : text || place;
}

function wordsOfDetail(detail: unknown): string {
  if (!Array.isArray(detail)) return wordsOfItem(detail);
  const items = detail.map(wordsOfItem).filter(Boolean);
  const more = items.length > 3 ? `; ${items.length - 3} more` : '';
  return items.slice(0, 3).join('; ') + more;
}

/**
 * Read what the service says about a fault.
 *
 * @param body - the body of the answer as text.
 * @returns `detail` (a text, or a list of {loc, msg}), else `title`, else `message`, else the text itself, one line, at most
 *   300 characters; empty when there is none or it is a page of HTML.
 */
export function readAnswerWords(body: string): string {
  let words = body;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'string') words = parsed;
    else if (typeof parsed === 'object' && parsed !== null) {
      const { detail, title, message } = parsed as Record<string, unknown>;
      words = wordsOfDetail(detail) || wordsOfItem(title) || wordsOfItem(message) || body;
    }
  } catch {
    // Not JSON: the text is all there is.
    if (/^\s*</.test(body)) words = '';
  }
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX)}...` : line;
}
