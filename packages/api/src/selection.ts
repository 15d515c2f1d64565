import {
  type DocumentNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The fields that a document selects, so that only their columns are read. */
export interface Selection {
  /** Whether a field of a type is selected anywhere. */
  has(type: string, field: string): boolean;
  /**
   * The properties that the selected fields of these types read. Undefined: all, because one of the fields does not
   * declare them.
   */
  properties(...types: readonly string[]): ReadonlySet<string> | undefined;
}

/** For a request whose document is not known yet: all properties are read, and no field counts as selected. */
export const unknownSelection: Selection = { has: () => false, properties: () => undefined };

/**
 * Declares which properties of its row a field's resolver reads. Exposed properties declare themselves. Keys are always
 * read.
 */
export function reads(...properties: string[]): { extensions: { reads: readonly string[] } } {
  return { extensions: { reads: properties } };
}

/** All fields that the operations and fragments of a document select. */
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
    if (!isObjectType(type) && !isInterfaceType(type))
      throw new Error(`the schema has no object or interface type ${name}`);
    for (const fieldName of selected.get(name) ?? []) {
      // Made from keys, or from nothing.
      if (fieldName === 'id' || fieldName === '__typename') continue;
      const { pothosExposedField: exposed, reads } = type.getFields()[fieldName]?.extensions ?? {};
      const read = typeof exposed === 'string' ? [exposed] : reads;
      if (!Array.isArray(read)) return undefined;
      for (const property of read) properties.add(property);
    }
  }
  return properties;
}
