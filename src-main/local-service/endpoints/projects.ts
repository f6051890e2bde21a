// 4.15 to 4.17: projects, their samples, and tags.
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/** Serve projects and tags. */
export function serveProjects({
  storage: { library },
}: ServiceParts): Pick<Handlers, 'createProject' | 'updateProjectSamples' | 'removeTags'> {
  return {
    createProject: ({ name, notes }, caller) => library.addProject({ name, notes: notes ?? null }, caller),

    updateProjectSamples: ({ project_id, physical_sample_ids, set = false }, caller) =>
      library.linkSamples(project_id, physical_sample_ids, set, caller),

    removeTags: async ({ data_ids, tag_ids }, caller) => {
      await library.untag(data_ids, tag_ids, caller);
      return {};
    },
  };
}
