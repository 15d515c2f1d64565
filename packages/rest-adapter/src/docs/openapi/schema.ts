/** A JSON Schema, or any other part of an OpenAPI document. */
export interface Schema {
  [key: string]: unknown;
}

export const ref = (kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
});

/** An object with these fields. The fields in `optional` may be absent. */
export function objectOf(properties: Schema, optional: readonly string[] = []): Schema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}
