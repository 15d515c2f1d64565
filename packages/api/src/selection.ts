import {
  type DocumentNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** What a document selects, so that rows are read with no more than is asked for. */
export interface Selection {
  /** Whether a field of a type is selected anywhere. */
  has(type: string, field: string): boolean;
  /** The properties that the selected fields of these types read; undefined: all, because one of the fields does not say. */
  properties(...types: readonly string[]): ReadonlySet<string> | undefined;
}

/** Before a document is known nothing is spared. */
export const unknownSelection: Selection = { has: () => false, properties: () => undefined };

/** Says which properties of its row a field's resolver reads. An exposed property says it by itself; keys are always there. */
export function reads(...properties: string[]): { extensions: { reads: readonly string[] } } {
  return { extensions: { reads: properties } };
}

/** All that the operations and fragments of a document select, wherever it stands. */
export function selectionOf(schema: GraphQLSchema, document: DocumentNode): Selection {
  const selected = fieldsByType(schema, document);
  const known = new Map<string, ReadonlySet<string> | undefined>();
  return {
    has: (type, field) => selected.get(type)?.has(field) ?? false,
    properties: (...types) => {
      const key = types.join();
      if (!known.has(key)) known.set(key, propertiesOf(schema, selected, types));
      return known.get(key);
    },
  };
}

type FieldsByType = ReadonlyMap<string, ReadonlySet<string>>;

function fieldsByType(schema: GraphQLSchema, document: DocumentNode): FieldsByType {
  const selected = new Map<string, Set<string>>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        const parent = types.getParentType();
        if (parent) selected.set(parent.name, (selected.get(parent.name) ?? new Set()).add(name.value));
      },
    }),
  );
  return selected;
}

function propertiesOf(
  schema: GraphQLSchema,
  selected: FieldsByType,
  types: readonly string[],
): ReadonlySet<string> | undefined {
  const properties = new Set<string>();
  for (const name of types) {
    const type = schema.getType(name);
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`no type ${name} has fields`);
    for (const fieldName of selected.get(name) ?? []) {
      // Made of keys, or of nothing.
      if (fieldName === 'id' || fieldName === '__typename') continue;
      const { pothosExposedField: exposed, reads } = type.getFields()[fieldName]?.extensions ?? {};
      const read = typeof exposed === 'string' ? [exposed] : reads;
      if (!Array.isArray(read)) return undefined;
      for (const property of read) properties.add(property);
    }
  }
  return properties;
}
