import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { limitCounts } from './limit-counts.ts';
import { limitDepth } from './limit-depth.ts';

/** A page of a page of a page is 9 deep. */
const maxDepth = 12;
/** Every field, name, bracket and argument of a document is a token: this bounds the work of all the other checks. */
const maxLexicalTokens = 2_000;

/** Refuses documents that are too long, too deep, or repeat themselves; outside the sandbox also introspection and hints at names. */
export function guardDocuments({ openSchema }: { openSchema: boolean }): Plugin {
  const depth = limitDepth(maxDepth);
  return {
    onParse: ({ parseFn, setParseFn }) => {
      setParseFn((source, options) => parseFn(source, { ...options, maxLexicalTokens }));
    },
    onValidate: ({ addValidationRule, validateFn, setValidationFn }) => {
      addValidationRule(depth);
      addValidationRule(limitCounts);
      if (openSchema) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules, options) =>
        validateFn(schema, document, rules, { ...options, hideSuggestions: true }),
      );
    },
  };
}
