import type { Domain } from '@tidegate/domain';
import type { ListName, Page, PageArguments, PageRequest, Scope } from '@tidegate/domain/lists';
import DataLoader from 'dataloader';
import type { ApiContext } from './context.ts';
import { connectionOf, pageOf, scopeOf } from './paging.ts';

/** Reads a page of the list of each parent, with one statement. The result has the order of the parents. */
type LoadPages<Parent, Name extends ListName, Row> = (
  domain: Domain,
  scope: Scope,
  parents: readonly Parent[],
  page: PageRequest<Name>,
) => Promise<Page<Row>[]>;

/** A resolver for a connection of a parent. Fields of all parents that ask for the same page are resolved together. */
export function childPages<Parent, Name extends ListName, Row, Owner>(
  list: Name,
  load: LoadPages<Parent, Name, Row>,
  parentOf: (owner: Owner) => Parent,
) {
  /** The loaders of each request, by requested page. */
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

/** Not cached, because a mutation may change what an earlier one has read. */
function openLoader<Parent, Name extends ListName, Row>(
  context: ApiContext,
  load: LoadPages<Parent, Name, Row>,
  page: PageRequest<Name>,
): DataLoader<Parent, Page<Row>> {
  return new DataLoader<Parent, Page<Row>>(
    async (parents) => {
      // Parents can be equal, for example the merchant of several orders. The list of equal parents is read once.
      const once = new Map(parents.map((parent) => [JSON.stringify(parent), parent]));
      const pages = await load(context.domain, scopeOf(context), [...once.values()], page);
      const found = new Map([...once.keys()].map((key, i) => [key, pages[i]]));
      return parents.map((parent) => found.get(JSON.stringify(parent)) ?? new Error('a page is missing'));
    },
    { cache: false, maxBatchSize: 1_000 },
  );
}
