const hashes = new Map<string, string>();

/**
 * A document without fields. urql reads its kind and name from it; the API finds the text by its hash.
 *
 * @public Called by the generated documents.
 */
export function stub<Document>(operation: 'query' | 'mutation' | 'subscription', name: string, hash: string): Document {
  hashes.set(name, hash);
  const selectionSet = { kind: 'SelectionSet', selections: [{ kind: 'Field', name: { kind: 'Name', value: name } }] };
  const definition = { kind: 'OperationDefinition', operation, name: { kind: 'Name', value: name }, selectionSet };
  return { kind: 'Document', definitions: [definition] } as unknown as Document;
}

interface NamedDocument {
  readonly definitions: readonly { readonly name?: { readonly value: string } | undefined }[];
}

/** The name of a document's operation. */
function nameOf(document: unknown): string {
  return (document as NamedDocument).definitions[0]?.name?.value ?? '';
}

/** What a request carries in place of the document's text. */
export function persistedQueryOf(document: unknown): { persistedQuery: { version: 1; sha256Hash: string } } {
  const sha256Hash = hashes.get(nameOf(document));
  if (sha256Hash === undefined) throw new Error(`The document ${nameOf(document)} is unknown. Run npm run build.`);
  return { persistedQuery: { version: 1, sha256Hash } };
}
