import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  type ValidationRule,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refusal } from '../errors/errors.ts';
import type { DocumentCache } from './document-cache.ts';
import { limitCounts } from './limit-counts.ts';
import { OutOfTime, withinBudget } from './within-budget.ts';

/**
 * The most tokens of a document. Every field, name, bracket and argument is one, so this limits the work of all other
 * checks.
 */
const maxLexicalTokens = 2_000;
/** The most expensive documents within the limits take about 40 ms on an idle core. */
const validationMs = 1_000;
/** A document is not checked further after so many errors, each of which can look for names that are alike. */
const maxErrors = 10;

/** The time of these rules grows linearly with the document's length. They run first and alone. */
const cheapRules: readonly ValidationRule[] = [limitCounts];

export interface GuardOptions {
  /** Whether introspection and suggestions of names are allowed. */
  openSchema: boolean;
  /** The cache of parsed documents. Invalid ones are removed from it. */
  documents: DocumentCache;
}

/**
 * Refuses documents that are too long or too repetitive, and outside the sandbox introspection and suggestions of
 * names.
 */
export function guardDocuments({ openSchema, documents }: GuardOptions): Plugin {
  const run = withinBudget(validationMs);
  return {
    onParse: ({ parseFn, setParseFn }) => {
      setParseFn((source, options) => parseShallow(() => parseFn(source, { ...options, maxLexicalTokens })));
    },
    onValidate: ({ addValidationRule, validateFn, setValidationFn, params: { documentAST } }) => {
      if (!openSchema) addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules, options) =>
        withinTime(run, () => {
          const errors = validate(schema, document, cheapRules, options);
          return errors.length > 0
            ? errors
            : validateFn(schema, document, rules, { ...options, hideSuggestions: !openSchema, maxErrors });
        }),
      );
      return ({ valid }) => {
        if (!valid) documents.delete(documentAST.loc?.source.body ?? '');
      };
    },
  };
}

/** The parser recurses for nested documents, until the stack ends. */
function parseShallow(parse: () => DocumentNode): DocumentNode {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

function tooDeep(): GraphQLError {
  return refusal('GRAPHQL_PARSE_FAILED', 'the document nests too deep');
}

/** The library's own limit of its check whether fields of one name can be merged, which takes quadratic time. */
function tooManyAlike(): GraphQLError {
  return refusal('GRAPHQL_VALIDATION_FAILED', 'the document asks for the same fields too often');
}

function withinTime(
  run: <Result>(work: () => Result) => Result,
  work: () => readonly GraphQLError[],
): readonly GraphQLError[] {
  try {
    return run(work).map((error) => (error.message === 'Validation aborted.' ? tooManyAlike() : error));
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    const reason = `the document takes longer than ${validationMs} ms to validate: ask for less at once`;
    return [refusal('GRAPHQL_VALIDATION_FAILED', reason)];
  }
}
