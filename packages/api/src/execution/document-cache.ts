import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The memory for all parsed documents of this process. */
const maxBytes = 16 * 1024 * 1024;
/** Measured memory of a token with its share of the syntax tree. */
const bytesPerToken = 400;

/** Parsed documents by their text. */
export type DocumentCache = LRUCache<string, DocumentNode>;

export function openDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: maxBytes,
    // The largest share of one document, so that it does not displace many others.
    maxEntrySize: maxBytes / 16,
    sizeCalculation: (document, text) => documentBytes(text, document),
  });
}

/** Comments count, because the parser keeps them as tokens. */
function documentBytes(text: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) tokens += 1;
  return 2 * text.length + bytesPerToken * tokens;
}

/** Errors are not cached, because parsing again is cheap. */
export const cacheNoErrors = {
  get: (): GraphQLError | undefined => undefined,
  set: (): void => undefined,
};
