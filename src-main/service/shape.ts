// The small shapes that the resources are built of.
import { z } from 'zod';

/**
 * Let a field be absent or null.
 *
 * **Takes**: what the field holds when it is there. **Gives**: a schema that also passes null and a missing field: the
 * interface leaves most fields of an answer open, and a null where a value is expected must not break a whole answer.
 */
export function maybe<S extends z.ZodType>(schema: S): z.ZodOptional<z.ZodNullable<S>> {
  return schema.nullish();
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Describe a map from any name to one kind of value.
 *
 * **Takes**: the schema of a value, and optionally a check of the names.
 * **Gives**: a schema that passes the very object it was given, so that names like `__proto__` stay plain names
 * (zod's own record drops them). Walk it with `Object.entries`; build it with `Object.fromEntries`.
 */
export function mapOf<S extends z.ZodType>(value: S, name: z.ZodType<string> = z.string()) {
  const { $schema, ...items } = z.toJSONSchema(value, { io: 'input' });
  const names = z.toJSONSchema(name);
  return z
    .custom<Record<string, z.output<S>>>(isPlainObject, 'expected an object')
    .superRefine((map, context) => {
      for (const [key, item] of Object.entries(map)) {
        for (const [schema, given] of [[name, key] as const, [value, item] as const]) {
          const checked = schema.safeParse(given);
          if (checked.success) continue;
          for (const { message, path } of checked.error.issues) {
            context.addIssue({ code: 'custom', message, path: [key, ...path] });
          }
        }
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
export const numbers = z.array(z.number().nullable());
