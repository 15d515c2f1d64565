import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type ASTNode,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refusal } from '../errors/errors.ts';

/**
 * The highest cost of one operation: about the number of objects in its answer. A page of 100 orders with three objects
 * each costs 501.
 */
const maxCost = 5_000;
/** The most fields of an operation, with those of fragments, however long the lists are. */
const maxFields = 2_000;
/** The deepest operation. For example, a page within a page within a page has 9 levels. */
const maxDepth = 12;
/** The page size of a connection without a size argument. */
const defaultPageSize = 20;
/** The assumed length of lists that are not pages, such as roles or keys of a merchant. */
const assumedListSize = 10;
const totalFields = ['totalCount', 'totalCountIsExact', 'approvalsToDecide'];
/**
 * The cost of each of these fields, which read up to 10,000 rows or check up to 100 approvals. If the field is in a
 * list, the cost counts for each entry.
 */
const totalCost = 10;
/**
 * The most rows of the other lists, by type and field. A smaller `first` reduces the cost. Figures are expensive: an
 * operation can have two.
 */
const listSizes: Record<string, number> = {
  'Notification.attempts': 50,
  'Query.accountBalances': 200,
  'Query.savedViews': 300,
  'Query.operationRights': 60,
  'Query.csvProfiles': 200,
  'Query.csvProfileVersions': 1_000,
  'StatementPreview.rows': 200,
  'StatementPreview.unparsed': 1_000,
  // One for each country.
  'Channel.reconciliations': 4,
  // Each is tried in a transaction that is rolled back.
  'Approval.stillPossible': 50,
  'Approval.changes': 20,
  'ChannelHealth.history': 168,
  'Figures.groups': 2_000,
  'Figures.failures': 100,
  'ComparedFigures.groups': 2_000,
  'ComparedFigures.failures': 100,
};

/** Refuses operations that are too deep, or whose answer could be too big. Lists count with the requested page size. */
export function limitCost(schema: GraphQLSchema): Plugin {
  const measure = measureBy(schema);
  const refuse = ({ document, operationName, variableValues }: ExecutionArgs): void => {
    const size = measure(document, operationName, variableValues ?? {});
    if (!size) return;
    const { cost, fields, depth } = size;
    if (depth > maxDepth)
      throw refusal('GRAPHQL_VALIDATION_FAILED', `fields nest ${depth} deep, at most ${maxDepth} are allowed`);
    if (fields > maxFields)
      throw refusal('BAD_USER_INPUT', `the operation has ${fields} fields, at most ${maxFields} are allowed`);
    if (cost > maxCost)
      throw refusal(
        'BAD_USER_INPUT',
        `the operation could give ${Number.isFinite(cost) ? cost : 'endlessly many'} objects, at most ${maxCost} are allowed: ask for smaller pages`,
      );
  };
  return {
    onExecute: ({ args }) => refuse(args),
    onSubscribe: ({ args }) => refuse(args),
  };
}

interface Size {
  /** The most objects in the answer. Each `__typename` counts as another. */
  cost: number;
  /** Including fields of fragments. */
  fields: number;
  /** Levels of fields, including those of fragments. Introspection counts as one. */
  depth: number;
}

/**
 * Measures an operation of a valid document. Null: there is no such operation, or its variables do not fit. Then the
 * executor reports the error.
 */
export type Measure = (
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
) => Size | null;

/**
 * Measures with Pothos' complexity plugin, which visits each fragment once. The schema's fields store their costs. An
 * operation whose size no variable changes is measured once, because that takes as long as ten rows of its answer.
 */
export function measureBy(schema: GraphQLSchema): Measure {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields()))
        field.extensions = { ...field.extensions, complexity: complexityOf(type.name, field) };
  // The parser's cache returns the same operation for the same text, so operations can be keys here.
  const fixed = new WeakMap<OperationDefinitionNode, Size>();
  return (document, operationName, variables) => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return null;
    const known = fixed.get(operation);
    if (known) return known;
    try {
      const measured = complexityFromQuery(withOneOperation(document, operation), { schema, variables });
      const size = { cost: measured.complexity, fields: measured.breadth, depth: measured.depth };
      if (!dependsOnVariables(document)) fixed.set(operation, size);
      return size;
    } catch (error) {
      if (getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors) return null;
      // An operation that cannot be measured is not executed.
      throw error;
    }
  };
}

/** The arguments that `complexityOf` reads. */
const sizeArguments = ['first', 'last', 'ids'];

/** Whether a variable decides about a size, or about whether a field is selected. */
function dependsOnVariables(document: DocumentNode): boolean {
  let depends = false;
  const has = (node: ASTNode): boolean => {
    let found = false;
    visit(node, {
      Variable: () => {
        found = true;
      },
    });
    return found;
  };
  visit(document, {
    Argument: (node) => {
      if (sizeArguments.includes(node.name.value)) depends ||= has(node.value);
    },
    Directive: (node) => {
      depends ||= has(node);
    },
  });
  return depends;
}

interface Complexity {
  field: number;
  multiplier: number;
}

/** The most objects that a field can return: one, a page of the requested size, one for each id, or a short list. */
function complexityOf(
  type: string,
  field: GraphQLField<unknown, unknown>,
): Complexity | ((variables: Record<string, unknown>) => Complexity) {
  const times = (count: number): Complexity => ({ field: count, multiplier: count });
  const named = getNamedType(field.type);
  if (totalFields.includes(field.name)) return { field: totalCost, multiplier: 0 };
  if (isLeafType(named)) return times(0);
  const fixed = listSizes[`${type}.${field.name}`];
  if (fixed !== undefined)
    return ({ first }) => times(typeof first === 'number' ? Math.min(Math.max(1, first), fixed) : fixed);
  if (field.args.some(({ name }) => name === 'ids'))
    return ({ ids }) => times(Array.isArray(ids) ? ids.length : assumedListSize);
  if (named.name.endsWith('Connection')) return ({ first, last }) => times(pageSize(first ?? last));
  const isWithinPage = field.name === 'edges' || field.name === 'nodes';
  const isList = isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
  return times(isList && !isWithinPage ? assumedListSize : 1);
}

function pageSize(requestedFirst: unknown): number {
  return typeof requestedFirst === 'number' ? Math.max(1, requestedFirst) : defaultPageSize;
}

/** The plugin measures the first operation of a document. */
function withOneOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const definitions = document.definitions.filter((node) => node.kind !== Kind.OPERATION_DEFINITION);
  return { ...document, definitions: [operation, ...definitions] };
}
