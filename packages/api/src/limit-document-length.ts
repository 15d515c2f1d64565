import type { Plugin } from 'graphql-yoga';
import { refusal } from './errors.ts';

/**
 * The most characters of a document that is not persisted. GraphiQL's introspection has about 2,000, a full page of the
 * console 3,000.
 */
const maxDocumentLength = 16 * 1024;

/** Refuses long documents before they are parsed. */
export function limitDocumentLength(): Plugin {
  return {
    onParams: ({ params }) => {
      const { query } = params as { query?: unknown };
      if (typeof query !== 'string' || query.length <= maxDocumentLength) return;
      throw refusal(
        'GRAPHQL_PARSE_FAILED',
        `the document has ${query.length} characters, at most ${maxDocumentLength} are allowed`,
      );
    },
  };
}
