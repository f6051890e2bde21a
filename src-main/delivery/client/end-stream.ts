// The one call outside the interface: a path that the settings name, with the id of a stream in it, which ends that stream
// on services that know such a thing.
import { exchange, readStart } from './exchange.ts';
import { answerError, looksLikePage, pageError, type Target } from './faults.ts';
import { type CallOptions, headersOf, type Line } from './question.ts';

/** Nothing of the answer is used but its status. */

/**
 * Say that a stream has ended. Takes the path template, which holds `{data_id}`, and the stream's entry.
 *
 * @returns nothing; any 2xx that is no web page is agreement.
 * @throws ServiceError as every call.
 */
export async function endStream(
  line: Line,
  { path, data_id }: { path: string; data_id: string },
  { signal, totalMs = line.timeouts.totalMs }: CallOptions,
): Promise<void> {
  const target: Target = { place: `POST ${path}`, host: new URL(line.baseUrl).host };
  const headers = headersOf(line, false, target);
  const url = `${line.baseUrl}${path.replaceAll('{data_id}', encodeURIComponent(data_id))}`;
  const question = { method: 'POST' as const, url, headers, body: null, target, signal, totalMs };
  await exchange(line.agent, question, async (data) => {
    const answer = await readStart(data);
    if (answer.status < 200 || answer.status > 299) throw answerError(answer, target, Date.now());
    if (looksLikePage(answer)) throw pageError(target, answer);
  });
}
