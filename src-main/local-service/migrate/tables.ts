// What moves from one database to another, in an order in which nothing refers to what is not there yet. Numbers stay as they are.

export interface Table {
  readonly name: string;
  /** Columns that tell a row; rows are copied in their order. */
  readonly key: readonly string[];
  readonly others: readonly string[];
  /** Whether the database gives out the numbers of `id` itself. */
  readonly hasSequence?: boolean;
  /** Whether the target writes lines of its own behind those that it took. */
  readonly goesOn?: boolean;
}

export const tables: readonly Table[] = [
  { name: 'organization', key: ['id'], others: ['name'], hasSequence: true },
  { name: '"user"', key: ['id'], others: ['organization_id', 'user_uuid', 'name'], hasSequence: true },
  {
    name: 'api_key',
    key: ['id'],
    others: ['user_id', 'hash', 'ending', 'created_ms', 'revoked_ms', 'expires_ms', 'used_ms', 'role'],
    hasSequence: true,
  },
  {
    name: 'audit',
    key: ['id'],
    others: ['at_ms', 'who', 'came_from', 'action', 'subject'],
    hasSequence: true,
    goesOn: true,
  },
  { name: 'sample', key: ['id'], others: ['organization_id', 'user_id', 'sample_uuid', 'name'], hasSequence: true },
  {
    name: 'project',
    key: ['id'],
    others: ['organization_id', 'user_id', 'project_uuid', 'name', 'notes'],
    hasSequence: true,
  },
  { name: 'project_sample', key: ['project_id', 'sample_id'], others: [] },
  { name: 'tag', key: ['id'], others: ['organization_id', 'tag_uuid', 'name'], hasSequence: true },
  { name: 'instrument', key: ['synth_source_id'], others: ['organization_id', 'user_id', 'body'] },
  { name: 'instrument_make', key: ['id'], others: ['label', 'type'], hasSequence: true },
  { name: 'target_sample', key: ['id'], others: ['organization_id', 'user_id', 'name', 'body'] },
  { name: 'target_layer', key: ['id'], others: ['sample_id', 'layer_id', 'body', 'updated_ms'], hasSequence: true },
  {
    name: 'entry',
    key: ['id'],
    others: [
      ...['organization_id', 'user_id', 'data_id', 'raw_name', 'char_source_type', 'pipeline_status', 'upload_ms'],
      ...['accessed_ms', 'sample_id', 'extra'],
    ],
    hasSequence: true,
  },
  { name: 'entry_tag', key: ['entry_id', 'tag_id'], others: [] },
  { name: 'entry_project', key: ['entry_id', 'project_id'], others: [] },
  {
    name: 'stream',
    key: ['entry_id'],
    others: [
      ...['processed_data_id', 'points_per_chunk', 'synth_source_id', 'start_time', 'last_chunk_ms', 'finalized_ms'],
      'agent',
    ],
  },
  { name: 'channel', key: ['id'], others: ['entry_id', 'name', 'units', 'points'], hasSequence: true },
  {
    name: 'chunk',
    key: ['channel_id', 'chunk_index'],
    others: ['points', 'min_time', 'max_time', 'value_min', 'value_max', 'value_sum', 'codec', 'data'],
  },
  { name: 'rheed', key: ['entry_id'], others: ['settings', 'ended_ms'] },
  { name: 'result', key: ['entry_id', 'kind', 'name'], others: ['body'] },
  { name: 'file', key: ['file_uuid'], others: ['entry_id', 'file_name', 'size_bytes'] },
];
