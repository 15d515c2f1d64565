import { getRouteApi } from '@tanstack/react-router';
import { OrderListDocument, OrdersMovedDocument } from '../generated/documents.generated.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { SavedViews } from '../list/saved-views.tsx';
import { useList } from '../list/use-list.ts';
import { useLiveRows } from '../list/use-live-rows.ts';
import { useOpenOnly } from '../list/use-open-only.ts';
import { Empty, Page } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { ExportButton } from './export-button.tsx';
import { orderColumns } from './order-columns.tsx';
import { isLiveTop, orderFilters, toOrderFilter } from './order-filters.ts';

const route = getRouteApi('/shell/orders');

/** The list of orders. */
export function OrdersPage() {
  const search = route.useSearch();
  const zone = useTimeZone();
  const { after: _after, before: _before, sort: _sort, ...filters } = search;
  const filter = toOrderFilter(filters, zone);
  const { sortBy, countries, statuses, kind, merchantIds, channelIds } = filters;
  const page = useList(OrderListDocument, { filter, sortBy, ...pageArguments(search) }, (data) => data.orders);
  useOpenOnly(page, filters.search);
  const kinds = kind && [kind];
  const isTop = isLiveTop(search);
  const newest = page.rows[0]?.createdAt ?? '';
  const { list, isFresh } = useLiveRows(
    page,
    OrdersMovedDocument,
    { countries, statuses, kinds, merchantIds, channelIds },
    {
      pick: (data) => data.orderChanged,
      keyOf: ({ orderNo }) => orderNo,
      isNew: ({ createdAt }) => isTop && createdAt > newest,
      versionOf: ({ updatedAt }) => updatedAt,
    },
  );
  return (
    <Page
      title="Orders"
      actions={
        <>
          <SavedViews screen="ORDERS" filters={filters} />
          <ExportButton filter={filter} sortBy={sortBy} />
        </>
      }
    >
      <FilterBar filters={orderFilters} values={filters} />
      <ListTable
        name="orders"
        noun={['order', 'orders']}
        columns={orderColumns}
        list={list}
        rowKey={({ orderNo }) => orderNo}
        rowLink={({ orderNo }) => ({ to: '/orders/$orderNo', params: { orderNo } })}
        isFresh={isFresh}
        empty={<NoOrders isFiltered={Object.keys(filters).length > 0} />}
      />
    </Page>
  );
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No order matches">Remove a filter, or choose a longer period.</Empty>
  ) : (
    <Empty title="No orders yet">Every payin and payout of your merchants appears here as soon as it is created.</Empty>
  );
}
