/** How connections and global ids are named and described; `first` and `last` are at most 100. */
export const relayTexts = {
  clientMutationId: 'omit',
  cursorType: 'String',
  edgesFieldOptions: { description: 'The entries of this page, in order.' },
  nodeFieldOptions: { description: 'What the entry is about.' },
  cursorFieldOptions: { description: 'Where this entry stands: for `after` or `before` of another page.' },
  pageInfoFieldOptions: { description: 'Whether there is more, and where it goes on.' },
  pageInfoTypeOptions: { description: 'Where a page begins and ends in its list.' },
  hasNextPageFieldOptions: { description: 'Whether something follows this page.' },
  hasPreviousPageFieldOptions: { description: 'Whether something comes before this page.' },
  startCursorFieldOptions: { description: 'The cursor of the first entry; null on an empty page.' },
  endCursorFieldOptions: { description: 'The cursor of the last entry; null on an empty page.' },
  firstArgOptions: { description: 'At most so many entries from the front, 1 to 100; 20 unless told.' },
  lastArgOptions: { description: 'At most so many entries from the end, 1 to 100; not together with `first`.' },
  afterArgOptions: { description: 'Only entries behind this cursor.' },
  beforeArgOptions: { description: 'Only entries before this cursor.' },
  idFieldOptions: { description: 'The global id, for `node`.' },
  nodeTypeOptions: { description: 'Anything that can be asked for by its global id.' },
  nodeQueryOptions: {
    description: 'What has this global id; null if there is none that you may see.',
    authScopes: { operator: true },
    args: { id: { description: 'A global id, as `id` of something gave it.' } },
  },
  nodesQueryOptions: {
    description: 'What has these global ids, in their order; at most 100.',
    authScopes: { operator: true },
    args: { ids: { description: 'Global ids, at most 100.' } },
  },
  defaultConnectionTypeOptions: { description: 'A page of a list.' },
  defaultEdgeTypeOptions: { description: 'An entry of a page.' },
  /** What a loader gives is known by its type, without a look at it. */
  brandLoadedObjects: true,
} as const;
