import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { limitDepth } from './limit-depth.ts';

const maxDepth = 10;
/** Every field, name, bracket and argument of a document is a token: this bounds aliases and directives too. */
const maxLexicalTokens = 2_000;

/** Refuses documents that are too long or too deep; outside the sandbox also introspection and hints at names. */
export function guardDocuments({ openSchema }: { openSchema: boolean }): Plugin {
  const depth = limitDepth(maxDepth);
  return {
    onParse: ({ parseFn, setParseFn }) => {
      setParseFn((source, options) => parseFn(source, { ...options, maxLexicalTokens }));
    },
    onValidate: ({ addValidationRule, validateFn, setValidationFn }) => {
      addValidationRule(depth);
      if (openSchema) return;
      addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules, options) =>
        validateFn(schema, document, rules, { ...options, hideSuggestions: true }),
      );
    },
  };
}
