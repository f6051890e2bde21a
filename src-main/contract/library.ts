// What growths refer to: instruments, target materials, projects and their samples. The interface lists target materials
// alone; of the others only what was made here, and what catalogue entries name, is known.
import { z } from 'zod';
import { synthSourceTypes } from '../interface/resources.ts';
import { call, text } from './row.ts';

const id = text(200).min(1);
const amount = z.number().nonnegative();

/** An instrument that was made here. */
export const InstrumentView = z.object({
  id: z.int().describe('what a stream is linked with'),
  name: z.string(),
  label: z.string(),
  type: z.string(),
  serialId: z.string().nullable(),
  madeMs: z.number(),
});

const ProjectView = z.object({
  id: z.string(),
  name: z.string(),
  notes: z.string(),
  madeMs: z.number().nullable().describe('null: it was not made here'),
  entries: z.int().describe('catalogue entries that name it, of those looked at'),
  sampleIds: z.array(z.string()).nullable().describe('as the service last answered here; null: never asked'),
});

const SampleView = z.object({ id: z.string(), name: z.string(), entries: z.int() });

const layerFields = {
  composition: z.string(),
  elements: z.array(z.object({ element: z.string(), amount: amount.nullable() })),
  orientation: z.string(),
  spaceGroup: z.string(),
  mpId: z.string(),
};

export const LayerView = z.object({
  recordId: z.int().nullable(),
  sampleId: z.int().nullable(),
  layerId: z.int().nullable().describe('position within the stack; null: the service does not say'),
  ...layerFields,
});

export const TargetView = z.object({
  sampleId: z.int().nullable(),
  name: z.string(),
  substrate: z.string(),
  note: z.string(),
  owner: z.string(),
  updatedMs: z.number().nullable(),
  layers: z.array(LayerView).describe('from the substrate up'),
});

export const library = {
  /** What is known of instruments, projects and samples. */
  known: call(
    z.object({ ticket: text(64).min(1) }),
    z.object({
      instruments: z.array(InstrumentView),
      projects: z.array(ProjectView),
      samples: z.array(SampleView),
      looked: z.int().describe('catalogue entries looked at, newest first'),
      isWhole: z.boolean().describe('all entries were looked at'),
      problem: z.string().describe('why the catalogue could not be looked at; empty: it was'),
      hint: z.string(),
    }),
  ),
  targets: call(
    z.object({ ticket: text(64).min(1) }),
    z.object({ targets: z.array(TargetView), left: z.int().describe('target materials that are not told here') }),
  ),
  /** Change one layer; null clears a field, what is absent stays. */
  changeLayer: call(
    z.object({
      recordId: z.int().nullable(),
      sampleId: z.int().nullable(),
      layerId: z.int(),
      composition: text(500).nullable().optional(),
      elements: z
        .array(z.object({ element: text(50).min(1), amount }))
        .max(120)
        .nullable()
        .optional(),
      orientation: text(200).nullable().optional(),
      spaceGroup: text(200).nullable().optional(),
      mpId: text(200).nullable().optional(),
    }),
    LayerView,
  ),
  createInstrument: call(
    z.object({
      name: text(300).min(1),
      label: text(300).min(1),
      type: z.enum(synthSourceTypes),
      serialId: text(300).describe('empty: none'),
    }),
    z.object({ instrument: InstrumentView, isKept: z.boolean().describe('false: this PC could not note it down') }),
  ),
  createProject: call(
    z.object({ name: text(300).min(1), notes: text(10_000) }),
    z.object({ id: z.string(), isKept: z.boolean() }),
  ),
  setSamples: call(
    z.object({
      projectId: id,
      sampleIds: z.array(id).max(1000),
      isReplacing: z.boolean().describe('true: the project has these samples alone afterwards; false: they are added'),
    }),
    z.object({ sampleIds: z.array(z.string()), isKept: z.boolean() }),
  ),
} as const;
