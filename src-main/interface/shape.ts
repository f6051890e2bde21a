// The small shapes that the resources are built of.
import { z } from 'zod';

/**
 * Let a field be absent or null.
 *
 * @param schema - what the field holds when it is there.
 * @returns a schema that also passes null and a missing field: the interface leaves most fields of an answer open, and a null
 *   where a value is expected must not break a whole answer.
 */
export function maybe<S extends z.ZodType>(schema: S): z.ZodOptional<z.ZodNullable<S>> {
  return schema.nullish();
}

/** Faults of one list or map that are told; it is looked at no further then. */
const FAULTS_MAX = 20;

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema of an item as JSON Schema, to stand within another. */
function itemsOf(schema: z.ZodType) {
  const { $schema, ...items } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return items;
}

/** Tell what is wrong with one item of a list or map, as long as there is room for faults. */
function tellFaults(
  schema: z.ZodType,
  given: unknown,
  step: number | string,
  context: z.RefinementCtx,
  room: { left: number },
): void {
  const checked = schema.safeParse(given);
  if (checked.success) return;
  for (const { message, path } of checked.error.issues.slice(0, room.left)) {
    context.addIssue({ code: 'custom', message, path: [step, ...path] });
    room.left -= 1;
  }
}

/**
 * Describe a list of one kind of value.
 *
 * @param item - the schema of an item.
 * @param options - the fewest there must be.
 * @returns a schema that passes the very list it was given, and stops after 20 misfits. zod's own array makes an object of
 *   each: those of a body of 64 MiB would fill the memory of the process that refuses it.
 */
export function listOf<S extends z.ZodType>(item: S, { min = 0 }: { min?: number } = {}) {
  return z
    .custom<z.output<S>[]>(Array.isArray, 'expected an array')
    .superRefine((list, context) => {
      if (list.length < min) context.addIssue({ code: 'custom', message: `expected at least ${min}` });
      const room = { left: FAULTS_MAX };
      for (let at = 0; at < list.length && room.left > 0; at++) tellFaults(item, list[at], at, context, room);
    })
    .meta({ type: 'array', items: itemsOf(item), ...(min > 0 ? { minItems: min } : {}) });
}

/**
 * Describe a map from any name to one kind of value.
 *
 * @param value - the schema of a value.
 * @param name - optionally a check of the names.
 * @returns a schema that passes the very object it was given, so that names like `__proto__` stay plain names (zod's own record
 *   drops them). Walk it with `Object.entries`; build it with `Object.fromEntries`.
 */
export function mapOf<S extends z.ZodType>(value: S, name: z.ZodType<string> = z.string()) {
  const items = itemsOf(value);
  const names = z.toJSONSchema(name);
  return z
    .custom<Record<string, z.output<S>>>(isPlainObject, 'expected an object')
    .superRefine((map, context) => {
      const room = { left: FAULTS_MAX };
      for (const [key, item] of Object.entries(map)) {
        if (room.left <= 0) return;
        tellFaults(name, key, key, context, room);
        tellFaults(value, item, key, context, room);
      }
    })
    .meta({
      type: 'object',
      additionalProperties: items,
      ...(Object.keys(names).length > 2
        ? { propertyNames: { minLength: names.minLength, maxLength: names.maxLength } }
        : {}),
    });
}

/** Numbers of an answer; a null among them is a hole, not a fault. */
export const numbers = listOf(z.number().nullable());
