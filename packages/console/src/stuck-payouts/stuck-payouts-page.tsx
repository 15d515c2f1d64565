import { getRouteApi } from '@tanstack/react-router';
import { OrdersMovedDocument, StuckPayoutListDocument } from '../generated/documents.generated.ts';
import { useLiveRefresh } from '../graphql/use-live-refresh.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Empty, Page } from '../parts/page.tsx';
import { SortChoice } from '../work/sort-choice.tsx';
import { stuckColumns } from './stuck-columns.tsx';
import { stuckFilters, toStuckFilter } from './stuck-filters.ts';

const route = getRouteApi('/shell/stuck-payouts');

/** Payouts whose channel gives no definite answer, the oldest first. */
export function StuckPayoutsPage() {
  const search = route.useSearch();
  const { after, before, sort: _, sortBy, ...filters } = search;
  const list = useList(
    StuckPayoutListDocument,
    { filter: toStuckFilter(filters), sortBy: sortBy ?? 'OLDEST_FIRST', ...pageArguments(search) },
    (data) => data.stuckPayouts,
  );
  const { merchantIds, channelIds } = filters;
  const { refresh } = list;
  const ended = { kinds: ['PAYOUT' as const], statuses: ['COMPLETED' as const, 'FAILED' as const] };
  useLiveRefresh(OrdersMovedDocument, { ...ended, merchantIds, channelIds }, refresh);
  return (
    <Page title="Stuck payouts">
      <FilterBar filters={stuckFilters} values={filters} />
      <ListTable
        name="stuck-payouts"
        noun={['payout', 'payouts']}
        columns={stuckColumns(refresh)}
        list={list}
        rowKey={({ id }) => id}
        rowLink={({ orderNo }) => ({ to: '/orders/$orderNo', params: { orderNo } })}
        tools={<SortChoice value={sortBy} />}
        empty={<NoneStuck isFiltered={Object.keys(filters).length > 0} />}
      />
    </Page>
  );
}

function NoneStuck({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No payout matches">Remove a filter, or choose a shorter wait.</Empty>;
  return (
    <Empty title="No payout is stuck">
      A payout whose channel has given no definite answer for an hour appears here. Its money stays frozen.
    </Empty>
  );
}
