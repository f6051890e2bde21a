// 4.13 and 4.14: target materials, one record a layer.
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve target materials. */
export function serveTargets({
  storage: { library },
  nowMs,
}: ServiceParts): Pick<Handlers, 'listTargetMaterials' | 'updateTargetLayer'> {
  return {
    listTargetMaterials: (_, caller) => library.listLayers(caller),
    updateTargetLayer: (change, caller) => library.updateLayer(change, caller, nowMs()),
  };
}
