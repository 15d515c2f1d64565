import * as z from 'zod';

/** A JSON Schema, or any other part of an OpenAPI document. */
export interface Schema {
  [key: string]: unknown;
}

export const ref = (kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The components of these schemas. One that contains another one refers to it. */
export function componentsOf(schemas: Readonly<Record<string, z.ZodType>>): Schema {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: found } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    // Some schemas cannot be converted: a text that we write, a free object of the merchant, and a number that is read by
    // its text. Their metadata has the JSON Schema.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'prefault') delete jsonSchema.default;
      if (zodSchema instanceof z.ZodObject) jsonSchema.required = neededFields(zodSchema);
    },
  });
  return Object.fromEntries(Object.entries(found).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

/** A field that is filled with an empty object when absent is required if that object has required fields. */
function neededFields(form: z.ZodObject): string[] {
  return Object.entries(form.shape).flatMap(([name, field]) =>
    field._zod.optin !== 'optional' || field._zod.def.type === 'prefault' ? [name] : [],
  );
}
