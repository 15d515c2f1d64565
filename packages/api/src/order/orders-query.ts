import { orderLists, pageOrders, personalParts, type SearchedUntil, SearchTooWide } from '@tidegate/domain/lists';
import { hasRole } from '@tidegate/domain/operators';
import { refusal } from '../errors/errors.ts';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { orderFilterArg } from './order-filter.ts';
import { OrderInterface } from './order-type.ts';

/** More than other lists have, for exports. */
const largestPage = 500;

/** What each sort order is to the domain. */
const sorts = {
  CREATED_NEWEST: { by: 'created', isReversed: false, description: 'Newest orders first.' },
  CREATED_OLDEST: { by: 'created', isReversed: true, description: 'Oldest orders first.' },
  COMPLETED_NEWEST: {
    by: 'completed',
    isReversed: false,
    description: 'Completed orders only, newest completion first.',
  },
  COMPLETED_OLDEST: {
    by: 'completed',
    isReversed: true,
    description: 'Completed orders only, oldest completion first.',
  },
  AMOUNT_LARGEST: { by: 'amount', isReversed: false, description: 'Largest amounts first, whatever the currency.' },
  AMOUNT_SMALLEST: { by: 'amount', isReversed: true, description: 'Smallest amounts first, whatever the currency.' },
} as const satisfies Record<string, { by: keyof typeof orderLists; isReversed: boolean; description: string }>;
type Sort = keyof typeof sorts;

const OrderSort = builder.enumType('OrderSort', {
  description: 'Sort order of orders.',
  values: Object.fromEntries(
    Object.entries(sorts).map(([value, { description }]) => [value, { value, description }]),
  ) as { [Value in Sort]: { value: Value; description: string } },
});

builder.queryField('orders', (t) =>
  t.connection(
    {
      type: OrderInterface,
      description:
        'Orders by filter and sort order, up to 500 on a page. Pages are full as long as there are enough orders, except where each order has to be looked at. Then a page looks at a limited number of orders, and can be short or empty. See `searchedUntil`; the next page goes on from there.',
      authScopes: { operator: true },
      args: {
        filter: t.arg(orderFilterArg),
        sortBy: t.arg({ type: OrderSort, description: 'Sort order. Default: CREATED_NEWEST.' }),
      },
      resolve: async (_root, { filter, sortBy, ...page }, context) => {
        const maySeePersonal = hasRole(operatorOf(context), personal.roles);
        // Whether something is found would already tell it.
        const refused = maySeePersonal ? undefined : personalParts.find((part) => filter?.[part] != null);
        if (refused !== undefined)
          throw refusal('FORBIDDEN', `your roles do not allow to search by filter.${refused}: it is personal data`);
        const { by, isReversed } = sorts[sortBy ?? 'CREATED_NEWEST'];
        const options = { isReversed, maySeePersonal };
        const request = pageOf(orderLists[by], page, largestPage);
        const found = await pageOrders(context.domain, scopeOf(context), filter ?? {}, request, options).catch(
          refuseTooWide,
        );
        return { ...connectionOf(found), searchedUntil: found.searchedUntil };
      },
    },
    {
      fields: (fields) => ({
        searchedUntil: fields.field({
          type: 'DateTime',
          nullable: true,
          description:
            'Sorted by time: how far this page was searched, if it ended before it was full. Newest first: everything newer was searched. Oldest first: everything older. To search further, read the next page, also if this one is empty. Null if the page is full, or the list ends.',
          resolve: (page) => untilOf(page)?.at ?? null,
        }),
        searchedUntilAmount: fields.field({
          type: 'Decimal',
          nullable: true,
          description:
            'The same, sorted by amount: everything larger was searched, or everything smaller if the smallest come first. In the currency of each order.',
          resolve: (page) => untilOf(page)?.amount ?? null,
        }),
      }),
    },
  ),
);

/** Not in the type of a page, which all lists share. */
function untilOf(page: object): SearchedUntil | null {
  return (page as { searchedUntil?: SearchedUntil | null }).searchedUntil ?? null;
}

function refuseTooWide(error: unknown): never {
  if (error instanceof SearchTooWide)
    throw refusal('BAD_USER_INPUT', error.message, [{ path: 'filter', reason: error.message }]);
  throw error;
}
