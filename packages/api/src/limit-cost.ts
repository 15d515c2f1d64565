import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refusal } from './errors.ts';

/** What one operation may cost: about so many objects can be in its answer. A page of 100 orders with three objects each costs 501. */
const maxCost = 5_000;
/** Fields of an operation, fragments followed: what it makes the executor look at, whatever the lists hold. */
const maxFields = 2_000;
/** A page of a connection that asks for no size. */
const defaultPageSize = 20;
/** Lists that are no pages are short ones: roles, keys of a merchant. */
const assumedListSize = 10;
/** The others, by type and field: how much each may give. Figures are dear besides, so that two are asked for at once. */
const listSizes: Record<string, number> = {
  'Notification.attempts': 50,
  'Query.accountBalances': 200,
  'Figures.groups': 2_000,
};

/** Refuses operations whose answer could be too big, lists multiplied by the sizes that are asked for. */
export function limitCost(schema: GraphQLSchema): Plugin {
  // Documents are kept by the parser's cache, so that the same text is the same document.
  const known = new WeakMap<OperationDefinitionNode, Size>();
  const sizeOf = (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
  ): Size => {
    // With the defaults of what was left out. What does not fit is refused, with a better text, by whoever executes it.
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    const size = measure(schema, document, operation, coerced ?? variables);
    if (!size.varies) known.set(operation, size);
    return size;
  };
  const refuse = (
    document: DocumentNode,
    name: string | null | undefined,
    variables: Record<string, unknown>,
  ): void => {
    const operation = operationOf(document, name);
    if (!operation) return;
    const { cost, fields } = known.get(operation) ?? sizeOf(document, operation, variables);
    if (fields > maxFields)
      throw refusal('BAD_USER_INPUT', `the operation has ${fields} fields, at most ${maxFields} are allowed`);
    if (cost > maxCost)
      throw refusal(
        'BAD_USER_INPUT',
        `the operation could give ${Number.isFinite(cost) ? cost : 'endlessly many'} objects, at most ${maxCost} are allowed: ask for smaller pages`,
      );
  };
  return {
    onExecute: ({ args }) => refuse(args.document, args.operationName, args.variableValues ?? {}),
    onSubscribe: ({ args }) => refuse(args.document, args.operationName, args.variableValues ?? {}),
  };
}

interface Size {
  /** Objects in the answer, at the most. */
  cost: number;
  fields: number;
  /** Whether other variables would make it another size. */
  varies: boolean;
}

const nothing: Size = { cost: 0, fields: 0, varies: false };

/** Measures an operation. Each fragment is measured once, so that fragments within fragments cost nothing to look at. */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Size {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const measured = new Map<string, Size>();

  const sizeOf = (set: SelectionSetNode, parent: GraphQLNamedType | undefined): Size => {
    const size = { ...nothing };
    for (const selection of set.selections) {
      const part = sizeOfSelection(selection, parent);
      size.cost += part.cost;
      size.fields += part.fields;
      size.varies ||= part.varies;
    }
    return size;
  };
  const sizeOfSelection = (
    selection: SelectionSetNode['selections'][number],
    parent: GraphQLNamedType | undefined,
  ): Size => {
    switch (selection.kind) {
      case Kind.FIELD:
        return sizeOfField(selection, parent);
      case Kind.INLINE_FRAGMENT:
        return sizeOf(selection.selectionSet, schema.getType(selection.typeCondition?.name.value ?? '') ?? parent);
      case Kind.FRAGMENT_SPREAD:
        return sizeOfFragment(selection.name.value);
      default:
        return selection satisfies never;
    }
  };
  const sizeOfField = (node: FieldNode, parent: GraphQLNamedType | undefined): Size => {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!node.selectionSet) return { ...nothing, fields: 1 };
    // Introspection is not in any type's fields; where it is allowed it costs nothing.
    const inner = sizeOf(node.selectionSet, field && getNamedType(field.type));
    const times = field ? (listSizes[`${parent?.name}.${field.name}`] ?? listSize(field, node, variables)) : 0;
    const varies = inner.varies || variesInSize(node);
    return { cost: times * (1 + inner.cost), fields: 1 + inner.fields, varies };
  };
  const sizeOfFragment = (name: string): Size => {
    const known = measured.get(name);
    if (known) return known;
    const fragment = fragments.get(name);
    if (!fragment) return nothing;
    measured.set(name, nothing);
    const size = sizeOf(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    measured.set(name, size);
    return size;
  };
  return sizeOf(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

/** How many objects a field gives at the most: one, a page of the size that is asked for, as many as ids are given, or a short list. */
function listSize(field: GraphQLField<unknown, unknown>, node: FieldNode, variables: Record<string, unknown>): number {
  const { ids } = argumentsOf(field, node, variables);
  if (Array.isArray(ids)) return ids.length;
  if (getNamedType(field.type).name.endsWith('Connection')) return pageSize(field, node, variables);
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  const isWithinPage = field.name === 'edges' || field.name === 'nodes';
  return isListType(type) && !isWithinPage ? assumedListSize : 1;
}

function pageSize(field: GraphQLField<unknown, unknown>, node: FieldNode, variables: Record<string, unknown>): number {
  const { first, last } = argumentsOf(field, node, variables);
  const asked = typeof first === 'number' ? first : last;
  return typeof asked === 'number' ? Math.max(1, asked) : defaultPageSize;
}

/** Whether one of the arguments that say how many is not a plain value. */
function variesInSize({ arguments: given = [] }: FieldNode): boolean {
  return given.some(({ name, value }) => sizeArguments.has(name.value) && value.kind !== Kind.INT);
}

const sizeArguments = new Set(['first', 'last', 'ids']);

/** A field's arguments; none where they do not fit, which is refused, with a better text, by whoever executes it. */
function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables);
  } catch (error) {
    if (error instanceof GraphQLError) return {};
    throw error;
  }
}

function operationOf(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | undefined {
  return document.definitions.find(
    (node): node is OperationDefinitionNode =>
      node.kind === Kind.OPERATION_DEFINITION && (name == null || node.name?.value === name),
  );
}
