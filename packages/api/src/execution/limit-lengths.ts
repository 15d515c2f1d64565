import type { Plugin } from 'graphql-yoga';
import { refusal } from '../errors/errors.ts';

/**
 * The most characters of a document that is not persisted. GraphiQL's introspection has about 2,000, a full page of the
 * console 3,000.
 */
const maxDocumentLength = 16 * 1024;

/** The most characters of a text in the variables: the longest input is a key of 16,384 characters. */
const maxTextLength = 16 * 1024;

/** Refuses long documents before they are parsed, and long texts in variables before a schema or a pattern sees them. */
export function limitLengths(): Plugin {
  return {
    onParams: ({ params }) => {
      const { query, variables } = params as { query?: unknown; variables?: unknown };
      if (typeof query === 'string' && query.length > maxDocumentLength)
        throw refusal(
          'GRAPHQL_PARSE_FAILED',
          `the document has ${query.length} characters, at most ${maxDocumentLength} are allowed`,
        );
      const longest = longestText(variables);
      if (longest > maxTextLength)
        throw refusal(
          'BAD_USER_INPUT',
          `a text in the variables has ${longest} characters, at most ${maxTextLength} are allowed`,
        );
    },
  };
}

/** The length of the longest text or key in a JSON value. Without recursion, because it may be nested deeply. */
function longestText(value: unknown): number {
  let longest = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string') longest = Math.max(longest, one.length);
    else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one)) {
        longest = Math.max(longest, key.length);
        left.push(inner);
      }
  }
  return longest;
}
