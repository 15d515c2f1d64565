import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type SourceLocation,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import type { ApiContext } from './context.ts';
import { type Selection, selectionOf } from './selection.ts';

interface Known {
  selection: Selection;
  uses: number;
  /** By the operation's name; null: it is interpreted. */
  compiled: Map<string, Execute | null>;
}
/** Null: what is given does not fit the operation, which the interpreter has words for. */
type Execute = (args: ExecutionArgs) => unknown;

/**
 * Queries that come again are compiled to functions, which takes a quarter of the time off a page (docs/decisions/0008); all else is
 * interpreted. Both give the same answers. Tells the context what the document selects. `compileFrom`: the use from which a query is compiled.
 */
export function executeCompiled(schema: GraphQLSchema, compileFrom = 2): Plugin<ApiContext> {
  // Documents are kept by the parser's cache, so that the same text is the same document.
  const documents = new WeakMap<DocumentNode, Known>();
  const known = (document: DocumentNode): Known => {
    const found = documents.get(document);
    if (found) return found;
    const made = { selection: selectionOf(schema, document), uses: 0, compiled: new Map() };
    documents.set(document, made);
    return made;
  };
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { document, operationName } = args;
      const one = known(document);
      args.contextValue.selection = one.selection;
      one.uses += 1;
      if (one.uses < compileFrom) return;
      const name = operationName ?? '';
      const compiled = one.compiled.get(name) ?? compile(schema, document, operationName);
      one.compiled.set(name, compiled);
      if (compiled) setExecuteFn((given: ExecutionArgs) => compiled(given) ?? executeFn(given));
    },
    onSubscribe: ({ args }) => {
      args.contextValue.selection = known(args.document).selection;
    },
  };
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): Execute | null {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query') return null;
  const compiled = compileQuery(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return null;
  return ({ rootValue, contextValue, variableValues }) => {
    const given = variableValues ?? {};
    if (getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 }).errors) return null;
    const result = compiled.query(rootValue, contextValue, given);
    return result instanceof Promise ? result.then((one) => located(one, document)) : located(result, document);
  };
}

/** The same result, its errors knowing where in the document they belong, as an interpreter's do: those of a compiled query know the line alone. */
function located(result: ExecutionResult, { loc }: DocumentNode): ExecutionResult {
  if (!result.errors || !loc) return result;
  const starts = [0, ...loc.source.body.matchAll(/\r\n|[\n\r]/g).map(({ index, 0: end }) => index + end.length)];
  const positionOf = ({ line, column }: SourceLocation): number => (starts[line - 1] ?? 0) + column - 1;
  const errors = result.errors.map(({ message, path, locations = [], originalError, extensions }) => {
    const positions = locations.map(positionOf);
    return new GraphQLError(message, { source: loc.source, positions, path, originalError, extensions });
  });
  return { ...result, errors };
}
