// Target materials, one record a layer.
import type { TargetLayer, TargetMaterialLayer } from '../../interface/resources.ts';
import type { ParsedRequest } from '../../interface/table.ts';
import { notFound, violation } from '../requests/problem.ts';
import type { Change } from './audit.ts';
import type { Owner } from './own.ts';
import { all, first, run, type Script } from './script.ts';

/** Version of the record schema, as `version` tells it. */
const TARGET_VERSION = '1';

interface LayerRow {
  readonly id: number;
  readonly sample_id: number;
  readonly layer_id: number;
  readonly body: string;
  readonly updated_ms: number;
  readonly sample_name: string;
  readonly sample_body: string;
  readonly user_uuid: string;
  readonly user_name: string;
}

const SELECT = `
  SELECT l.id, l.sample_id, l.layer_id, l.body, l.updated_ms, s.name AS sample_name, s.body AS sample_body,
    u.user_uuid, u.name AS user_name
  FROM target_sample s JOIN target_layer l ON l.sample_id = s.id JOIN "user" u ON u.id = s.user_id
  WHERE s.organization_id = ?`;

const changeable = ['composition_string', 'element_dict', 'orientation', 'space_group', 'mp_id'] as const;

type Request = ParsedRequest<'updateTargetLayer'>;

function toLayer({ id, sample_id, layer_id, body }: LayerRow): TargetLayer {
  const none = Object.fromEntries(changeable.map((name) => [name, null]));
  return { id, sample_id, layer_id, ...none, ...(JSON.parse(body) as object) };
}

/** The one layer meant; two that could be meant are refused, since the wrong one would be changed. */
function* findLayer({ id, sample_id, layer_id }: Request, { organizationId }: Owner): Script<LayerRow> {
  if (id != null) {
    const layer = yield* first<LayerRow>(`${SELECT} AND l.id = ?`, organizationId, id);
    if (!layer) throw notFound('layer record', id);
    if (layer.layer_id !== layer_id) {
      throw violation(['body', 'layer_id'], `the layer record ${id} is layer ${layer.layer_id}`);
    }
    if (sample_id != null && layer.sample_id !== sample_id) {
      const why = `the layer record ${id} belongs to the target material ${layer.sample_id}`;
      throw violation(['body', 'sample_id'], why);
    }
    return layer;
  }
  if (sample_id != null) {
    const sql = `${SELECT} AND l.sample_id = ? AND l.layer_id = ?`;
    const layer = yield* first<LayerRow>(sql, organizationId, sample_id, layer_id);
    if (!layer) throw notFound(`layer ${layer_id} of the target material`, sample_id);
    return layer;
  }
  const [layer, second] = yield* all<LayerRow>(`${SELECT} AND l.layer_id = ? LIMIT 2`, organizationId, layer_id);
  if (!layer) throw notFound('layer', layer_id);
  if (second) {
    const why = `several target materials have a layer ${layer_id}: say which one`;
    throw violation(['body', 'sample_id'], why, 'missing');
  }
  return layer;
}

/** Change what is given of a layer; Problem 404 or 422. Returns all of it. */
export function* updateLayer(request: Request, owner: Owner, nowMs: number): Script<Change<TargetLayer>> {
  const layer = yield* findLayer(request, owner);
  const given = changeable.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]);
  const body = JSON.stringify({ ...(JSON.parse(layer.body) as object), ...Object.fromEntries(given) });
  const value = toLayer({ ...layer, body });
  const isReal = JSON.stringify(value) !== JSON.stringify(toLayer(layer));
  if (isReal) yield* run('UPDATE target_layer SET body = ?, updated_ms = ? WHERE id = ?', body, nowMs, layer.id);
  return { value, isReal };
}

/** Read all layers of an organization. */
export function* listLayers({ organizationId }: Owner): Script<TargetMaterialLayer[]> {
  const rows = yield* all<LayerRow>(`${SELECT} ORDER BY l.sample_id, l.layer_id`, organizationId);
  return rows.map((row) => ({
    substrate: null,
    detail_notes_id: null,
    detail_note_content: null,
    sample_metadata: {},
    ...(JSON.parse(row.sample_body) as Partial<TargetMaterialLayer>),
    ...toLayer(row),
    sample_name: row.sample_name,
    user_id: row.user_uuid,
    user_name: row.user_name,
    version: TARGET_VERSION,
    last_updated: new Date(row.updated_ms).toISOString(),
  }));
}
