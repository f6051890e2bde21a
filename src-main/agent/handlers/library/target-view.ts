// Target materials (4.13): the service answers one record a layer; a person thinks of the stack.
import type { z } from 'zod';
import type { LayerView, TargetView } from '../../../contract/library.ts';
import type { TargetLayer, TargetMaterialLayer } from '../../../interface/resources.ts';
import { cut, readStamp } from '../catalogue/entry-view.ts';

const LAYERS_MAX = 500;
const ELEMENTS_MAX = 120;

/** Form what is shown of a layer; a field without a value is empty. */
export function viewLayer(layer: TargetLayer): z.infer<typeof LayerView> {
  const elements = Object.entries(layer.element_dict ?? {}).slice(0, ELEMENTS_MAX);
  return {
    recordId: layer.id ?? null,
    sampleId: layer.sample_id ?? null,
    layerId: layer.layer_id ?? null,
    composition: cut(layer.composition_string ?? ''),
    elements: elements.map(([element, amount]) => ({ element: cut(element), amount })),
    orientation: cut(layer.orientation ?? ''),
    spaceGroup: cut(layer.space_group ?? ''),
    mpId: cut(layer.mp_id ?? ''),
  };
}

/**
 * Put the records of layers together to target materials.
 *
 * @param records - the records in any order.
 * @returns one stack for each `sample_id` (where that is missing: for each name), in the order of their first records; its
 *   layers by rising position, those without one last.
 */
export function viewTargets(records: readonly TargetMaterialLayer[]): z.infer<typeof TargetView>[] {
  const groups = new Map<string, TargetMaterialLayer[]>();
  for (const record of records) {
    const key = record.sample_id == null ? `name ${record.sample_name ?? ''}` : `id ${record.sample_id}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].map((layers) => {
    const texts = (pick: (record: TargetMaterialLayer) => string | null | undefined) =>
      cut(layers.map(pick).find((text) => text != null && text !== '') ?? '');
    const stamps = layers.map(({ last_updated }) => readStamp(last_updated)).filter((stamp) => stamp !== null);
    return {
      sampleId: layers[0]?.sample_id ?? null,
      name: texts(({ sample_name }) => sample_name),
      substrate: texts(({ substrate }) => substrate),
      note: texts(({ detail_note_content }) => detail_note_content),
      owner: texts(({ user_name }) => user_name),
      updatedMs: stamps.length > 0 ? Math.max(...stamps) : null,
      layers: layers
        .slice(0, LAYERS_MAX)
        .map(viewLayer)
        .sort((a, b) => (a.layerId ?? Number.POSITIVE_INFINITY) - (b.layerId ?? Number.POSITIVE_INFINITY)),
    };
  });
}
