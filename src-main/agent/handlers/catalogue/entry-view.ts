// Catalogue entries as the screen shows them: every field may be missing, and texts of any length become bounded ones.
import type { z } from 'zod';
import type { EntryDetail, EntryView, FieldView, LabelView } from '../../../contract/catalogue.ts';
import { DataEntry } from '../../../interface/resources.ts';
import { guessStreamName } from '../../../model/stream-name.ts';

/** Longest text that is told, UTF-16 units. */
const TEXT_MAX = 1000;
const LABELS_MAX = 100;
const FIELDS_MAX = 100;

/** Cut a text of foreign length; null stays null. */
export function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}

/**
 * Read a stamp.
 *
 * @returns Unix milliseconds; null for what is none. A stamp without a zone is taken for UTC.
 */
export function readStamp(stamp: string | null | undefined): number | null {
  if (!stamp) return null;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(stamp);
  const timeMs = Date.parse(hasZone || !stamp.includes('T') ? stamp : `${stamp}Z`);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** Write fields that the interface does not describe as text, at most 100 of them. */
export function fieldsOf(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
): z.infer<typeof FieldView>[] {
  return Object.entries(fields)
    .filter(([name, value]) => !known.includes(name) && value !== null && value !== undefined && value !== '')
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => ({
      name: cut(name),
      text: cut(typeof value === 'string' ? value : JSON.stringify(value)),
    }));
}

function labelsOf(labels: DataEntry['tags']): z.infer<typeof LabelView>[] {
  return (labels ?? []).slice(0, LABELS_MAX).map((label) => {
    if (typeof label === 'string') return { id: null, name: cut(label) };
    return { id: label.id ?? null, name: cut(label.name ?? label.id ?? '') };
  });
}

/** Form what a list shows of an entry. */
export function viewEntry(entry: DataEntry): z.infer<typeof EntryView> {
  return {
    dataId: entry.data_id,
    name: cut(entry.raw_name ?? ''),
    type: cut(entry.char_source_type ?? ''),
    status: cut(entry.pipeline_status ?? ''),
    uploadedMs: readStamp(entry.upload_datetime),
    accessedMs: readStamp(entry.last_accessed_datetime),
    sampleId: entry.physical_sample_id ?? null,
    sampleName: entry.physical_sample_name == null ? null : cut(entry.physical_sample_name),
    tags: labelsOf(entry.tags),
    projects: labelsOf(entry.projects),
    made: madeOf(cut(entry.raw_name ?? '')),
  };
}

function madeOf(name: string): z.infer<typeof EntryView>['made'] {
  const parts = guessStreamName(name);
  return parts && { tool: parts.toolName, source: parts.sourceId, start: parts.start, words: parts.words };
}

/** Form what the page of an entry shows: the entry, and what the interface does not describe. */
export function viewEntryDetail(entry: DataEntry): z.infer<typeof EntryDetail> {
  return { ...viewEntry(entry), more: fieldsOf(entry, Object.keys(DataEntry.shape)) };
}
