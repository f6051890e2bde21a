// What a page of the catalogue is asked by and gives; each engine finds it in its own way.

export interface PageFilter {
  readonly organizationId: number;
  readonly dataIds?: readonly string[] | undefined;
  readonly sampleIds?: readonly string[] | undefined;
  /** Kinds of which an entry must have one. */
  readonly types?: readonly string[] | undefined;
  readonly status?: string | undefined;
  /** Keywords, of which all must be found. */
  readonly keywords: readonly string[];
  /** Only this user's. */
  readonly userId?: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A tag or project of an entry. */
export type NamedId = { readonly id: string; readonly name: string };

export interface PageRow {
  readonly data_id: string;
  readonly raw_name: string;
  readonly char_source_type: string;
  readonly pipeline_status: string;
  readonly upload_ms: number;
  readonly accessed_ms: number;
  readonly physical_sample_id: string | null;
  readonly physical_sample_name: string | null;
  /** As JSON text, or parsed already. */
  readonly tags: string | readonly NamedId[] | null;
  readonly projects: string | readonly NamedId[] | null;
  readonly extra: string | null;
}

/**
 * Take the keywords apart: a NUL ends the text of a query, so what stands on its two sides is looked for as two keywords.
 *
 * @returns those of three or more characters, which match anywhere, and the shorter ones, which match at the beginning of a word.
 */
export function splitKeywords(keywords: readonly string[]): { parts: string[]; words: string[] } {
  const wanted = keywords
    .flatMap((keyword) => keyword.split('\0'))
    .map((keyword) => keyword.trim())
    .filter(Boolean);
  const isPart = (keyword: string) => [...keyword].length >= 3;
  return { parts: wanted.filter(isPart), words: wanted.filter((keyword) => !isPart(keyword)) };
}
