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
/** For all compiled queries of this process. One that takes more than a sixteenth of it is interpreted. */
const maxCompiledBytes = 16 * 1024 * 1024;
/** Measured: a field of a compiled query, of all the types that it can belong to. */
const bytesPerField = 6 * 1024;

/** Null: what is given does not fit the operation, which the interpreter has words for. */
type Execute = (args: ExecutionArgs) => unknown;

/**
 * Queries that come again are compiled to functions, which takes a quarter of the time off a page (ADR 0008); all else is
 * interpreted. Both give the same answers. Tells the context what the document selects. `compileFrom`: the use from which a query is compiled.
 */
export function executeCompiled(schema: GraphQLSchema, compileFrom = 2): Plugin<ApiContext> {
  // Documents are kept by the parser's cache, so that the same text is the same document.
  const documents = new WeakMap<DocumentNode, Known>();
  const known = (document: DocumentNode): Known => {
    const found = documents.get(document);
    if (found) return found;
    const made = { selection: selectionOf(schema, document), uses: 0 };
    documents.set(document, made);
    return made;
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
      if (run) setExecuteFn((given: ExecutionArgs) => run(given) ?? executeFn(given));
    },
    onSubscribe: ({ args }) => {
      args.contextValue.selection = known(args.document).selection;
    },
  };
}

interface Compiled {
  /** Null: it is interpreted. */
  run: Execute | null;
  /** What it holds in memory, by estimate. */
  bytes: number;
}

/** Null: these variables do not fit it. */
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
