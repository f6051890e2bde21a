// 4.13 and 4.14: target materials, one record a layer.
import type { TargetLayer, TargetMaterialLayer } from '../../interface/resources.ts';
import type { ParsedRequest } from '../../interface/table.ts';
import { notFound, violation } from '../requests/problem.ts';
import type { Caller } from '../storage/identity.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Version of the record schema, as `version` tells it. */
const TARGET_VERSION = '1';

interface LayerRow {
  id: number;
  sample_id: number;
  layer_id: number;
  body: string;
  updated_ms: number;
  sample_name: string;
  sample_body: string;
  user_uuid: string;
  user_name: string;
}

const SELECT = `
  SELECT l.id, l.sample_id, l.layer_id, l.body, l.updated_ms, s.name AS sample_name, s.body AS sample_body,
    u.user_uuid, u.name AS user_name
  FROM target_sample s JOIN target_layer l ON l.sample_id = s.id JOIN user u ON u.id = s.user_id
  WHERE s.organization_id = ?`;

const changeable = ['composition_string', 'element_dict', 'orientation', 'space_group', 'mp_id'] as const;

function toLayer({ id, sample_id, layer_id, body }: LayerRow): TargetLayer {
  const none = Object.fromEntries(changeable.map((name) => [name, null]));
  return { id, sample_id, layer_id, ...none, ...(JSON.parse(body) as object) };
}

/** Serve target materials. */
export function serveTargets({
  db,
  write,
  nowMs,
}: ServiceParts): Pick<Handlers, 'listTargetMaterials' | 'updateTargetLayer'> {
  const all = db.prepare<[number], LayerRow>(`${SELECT} ORDER BY l.sample_id, l.layer_id`);
  const byId = db.prepare<[number, number], LayerRow>(`${SELECT} AND l.id = ?`);
  const byPlace = db.prepare<[number, number, number], LayerRow>(`${SELECT} AND l.sample_id = ? AND l.layer_id = ?`);
  const byPosition = db.prepare<[number, number], LayerRow>(`${SELECT} AND l.layer_id = ? LIMIT 2`);
  const change = db.prepare('UPDATE target_layer SET body = ?, updated_ms = ? WHERE id = ?');

  /** The one layer meant; two that could be meant are refused, since the wrong one would be changed. */
  function findLayer(asked: ParsedRequest<'updateTargetLayer'>, caller: Caller): LayerRow {
    const { id, sample_id, layer_id } = asked;
    if (id != null) {
      const layer = byId.get(caller.organizationId, id);
      if (!layer) throw notFound('layer record', id);
      if (layer.layer_id !== layer_id)
        throw violation(['body', 'layer_id'], `the layer record ${id} is layer ${layer.layer_id}`);
      if (sample_id != null && layer.sample_id !== sample_id) {
        throw violation(
          ['body', 'sample_id'],
          `the layer record ${id} belongs to the target material ${layer.sample_id}`,
        );
      }
      return layer;
    }
    if (sample_id != null) {
      const layer = byPlace.get(caller.organizationId, sample_id, layer_id);
      if (!layer) throw notFound(`layer ${layer_id} of the target material`, sample_id);
      return layer;
    }
    const [layer, second] = byPosition.all(caller.organizationId, layer_id);
    if (!layer) throw notFound('layer', layer_id);
    if (second)
      throw violation(
        ['body', 'sample_id'],
        `several target materials have a layer ${layer_id}: say which one`,
        'missing',
      );
    return layer;
  }

  return {
    listTargetMaterials(_, { organizationId }) {
      return all.all(organizationId).map((row): TargetMaterialLayer => {
        const sample = JSON.parse(row.sample_body) as Partial<TargetMaterialLayer>;
        return {
          substrate: null,
          detail_notes_id: null,
          detail_note_content: null,
          sample_metadata: {},
          ...sample,
          ...toLayer(row),
          sample_name: row.sample_name,
          user_id: row.user_uuid,
          user_name: row.user_name,
          version: TARGET_VERSION,
          last_updated: new Date(row.updated_ms).toISOString(),
        };
      });
    },

    updateTargetLayer(request, caller) {
      return write(() => {
        const layer = findLayer(request, caller);
        const given = changeable.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]);
        const body = { ...(JSON.parse(layer.body) as object), ...Object.fromEntries(given) };
        const text = JSON.stringify(body);
        change.run(text, nowMs(), layer.id);
        return toLayer({ ...layer, body: text });
      });
    },
  };
}
