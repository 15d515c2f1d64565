/** Names and descriptions of connections and global ids. `first` and `last` are at most 100. */
export const relayTexts = {
  clientMutationId: 'omit',
  cursorType: 'String',
  edgesFieldOptions: { description: 'Entries of this page, in order.' },
  nodeFieldOptions: { description: 'The entry itself.' },
  cursorFieldOptions: { description: 'Position of this entry, for `after` or `before`.' },
  pageInfoFieldOptions: { description: 'Cursors of this page, and whether there are further pages.' },
  pageInfoTypeOptions: { description: 'Position of a page in its list.' },
  hasNextPageFieldOptions: { description: 'Whether there are entries after this page.' },
  hasPreviousPageFieldOptions: { description: 'Whether there are entries before this page.' },
  startCursorFieldOptions: { description: 'Cursor of the first entry. Null if the page is empty.' },
  endCursorFieldOptions: { description: 'Cursor of the last entry. Null if the page is empty.' },
  firstArgOptions: { description: 'Number of entries from the start, 1 to 100. Default: 20.' },
  lastArgOptions: { description: 'Number of entries from the end, 1 to 100. Not together with `first`.' },
  afterArgOptions: { description: 'Returns the entries after this cursor.' },
  beforeArgOptions: { description: 'Returns the entries before this cursor.' },
  idFieldOptions: { description: 'Global id, for `node`.' },
  nodeTypeOptions: { description: 'Object with a global id.' },
  nodeQueryOptions: {
    description: 'The object with this global id. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: { id: { description: 'Global id, as returned by a field `id`.' } },
  },
  nodesQueryOptions: {
    description: 'The objects with these global ids, in the same order.',
    authScopes: { operator: true },
    args: { ids: { description: 'Global ids, at most 100.' } },
  },
  defaultConnectionTypeOptions: { description: 'A page of a list.' },
  defaultEdgeTypeOptions: { description: 'An entry of a page.' },
  /** A loaded object has a known type, so it need not be inspected. */
  brandLoadedObjects: true,
} as const;
