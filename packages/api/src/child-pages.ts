import type { Domain } from '@tidegate/domain';
import type { ListName, Page, PageArguments, PageRequest, Scope } from '@tidegate/domain/lists';
import DataLoader from 'dataloader';
import type { ApiContext } from './context.ts';
import { connectionOf, pageOf, scopeOf } from './paging.ts';

/** Reads the same page of the list of each of these parents, by one statement and in their order. */
type LoadPages<Parent, Name extends ListName, Row> = (
  domain: Domain,
  scope: Scope,
  parents: readonly Parent[],
  page: PageRequest<Name>,
) => Promise<Page<Row>[]>;

/** A resolver of a connection that belongs to a parent: the fields of all parents that ask for the same page are answered together. */
export function childPages<Parent, Name extends ListName, Row, Owner>(
  list: Name,
  load: LoadPages<Parent, Name, Row>,
  parentOf: (owner: Owner) => Parent,
) {
  /** Of each request, by the page that is asked for. */
  const loaders = new WeakMap<ApiContext, Map<string, DataLoader<Parent, Page<Row>>>>();
  return async (owner: Owner, args: PageArguments, context: ApiContext) => {
    const page = pageOf(list, args);
    const own = loaders.get(context) ?? new Map<string, DataLoader<Parent, Page<Row>>>();
    loaders.set(context, own);
    const key = JSON.stringify(page);
    const loader = own.get(key) ?? openLoader(context, load, page);
    own.set(key, loader);
    return connectionOf(await loader.load(parentOf(owner)));
  };
}

/** Nothing is kept: a mutation may have changed what the one before it has read. */
function openLoader<Parent, Name extends ListName, Row>(
  context: ApiContext,
  load: LoadPages<Parent, Name, Row>,
  page: PageRequest<Name>,
): DataLoader<Parent, Page<Row>> {
  return new DataLoader<Parent, Page<Row>>(
    async (parents) => {
      // Many orders of one merchant ask for its lists but once.
      const once = new Map(parents.map((parent) => [JSON.stringify(parent), parent]));
      const pages = await load(context.domain, scopeOf(context), [...once.values()], page);
      const found = new Map([...once.keys()].map((key, i) => [key, pages[i]]));
      return parents.map((parent) => found.get(JSON.stringify(parent)) ?? new Error('a page is missing'));
    },
    { cache: false, maxBatchSize: 1_000 },
  );
}
