import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  type SourceLocation,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { ApiContext } from './context.ts';
import { type Measure, measureBy } from './limit-cost.ts';
import { type Selection, selectionOf } from './selection.ts';

interface Known {
  selection: Selection;
  uses: number;
}
/**
 * The memory for all compiled queries of this process. A query that needs more than a sixteenth of it is interpreted.
 */
const maxCompiledBytes = 16 * 1024 * 1024;
/** Measured memory of a field of a compiled query, for each type that it can belong to. */
const bytesPerField = 6 * 1024;

/** Null: the input does not fit the operation. Then the interpreter reports the error. */
type Execute = (args: ExecutionArgs) => unknown;

/**
 * Compiles repeated queries to functions, which makes a page a quarter faster (ADR 0008). Other documents are
 * interpreted, with the same answers. Sets the context's selection. `compileFrom`: the number of uses from which a
 * query is compiled.
 */
export function executeCompiled(schema: GraphQLSchema, compileFrom = 2): Plugin<ApiContext> {
  // The parser's cache returns the same document for the same text, so documents can be keys here.
  const documents = new WeakMap<DocumentNode, Known>();
  const known = (document: DocumentNode): Known => {
    const found = documents.get(document);
    if (found) return found;
    const entry = { selection: selectionOf(schema, document), uses: 0 };
    documents.set(document, entry);
    return entry;
  };
  const compiledQueries = new LRUCache<string, Compiled>({
    maxSize: maxCompiledBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const measure = measureBy(schema);
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const { document, operationName } = args;
      const one = known(document);
      args.contextValue.selection = one.selection;
      one.uses += 1;
      if (one.uses < compileFrom) return;
      const text = document.loc?.source.body ?? '';
      const key = `${operationName ?? ''}\n${text}`;
      const kept = compiledQueries.get(key);
      const compiled = kept ?? compile(schema, args, measure);
      if (compiled && !kept) compiledQueries.set(key, compiled);
      const run = compiled?.run;
      if (run) setExecuteFn((args: ExecutionArgs) => run(args) ?? executeFn(args));
    },
    onSubscribe: ({ args }) => {
      args.contextValue.selection = known(args.document).selection;
    },
  };
}

interface Compiled {
  /** Null: the query is interpreted. */
  run: Execute | null;
  /** Estimated memory. */
  bytes: number;
}

/** Null: these variables do not fit the operation. */
function compile(
  schema: GraphQLSchema,
  { document, operationName, variableValues }: ExecutionArgs,
  measure: Measure,
): Compiled | null {
  const operation = getOperationAST(document, operationName);
  const interpreted = { run: null, bytes: 1024 + 2 * (document.loc?.source.body.length ?? 0) };
  if (operation?.operation !== 'query') return interpreted;
  const size = measure(document, operationName, variableValues ?? {});
  if (!size) return null;
  const bytes = interpreted.bytes + bytesPerField * size.fields;
  if (bytes > maxCompiledBytes / 16) return interpreted;
  const run = compileOperation(schema, document, operation, operationName);
  return run ? { run, bytes } : interpreted;
}

function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  operationName: string | null | undefined,
): Execute | null {
  const compiled = compileQuery(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return null;
  return ({ rootValue, contextValue, variableValues }) => {
    const variables = variableValues ?? {};
    if (getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 }).errors) return null;
    const result = compiled.query(rootValue, contextValue, variables);
    return result instanceof Promise ? result.then((one) => located(one, document)) : located(result, document);
  };
}

/** Adds the full location to errors. An error of a compiled query has only its line. */
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
