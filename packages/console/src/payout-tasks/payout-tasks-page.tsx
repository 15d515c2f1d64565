import { getRouteApi } from '@tanstack/react-router';
import {
  OrdersMovedDocument,
  PayoutTaskListDocument,
  type TaskPartsFragment,
} from '../generated/documents.generated.ts';
import { useLiveRefresh } from '../graphql/use-live-refresh.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { type Connection, useList } from '../list/use-list.ts';
import { Views } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { useMe } from '../session/use-me.ts';
import { SortChoice } from '../work/sort-choice.tsx';
import { taskColumns } from './task-columns.tsx';
import { taskFilters, toTaskFilter } from './task-filters.ts';
import { taskViews } from './task-state.ts';

const route = getRouteApi('/shell/payout-tasks');
/** The interval in which the page is read again. No stream reports a proof, because it does not change the order. */
const POLL_MS = 10_000;

/** Payouts that operators pay by hand: available, one's own, and those whose proof waits for a review. */
export function PayoutTasksPage() {
  const search = route.useSearch();
  const { roles, operatorId } = useMe();
  const { after, before, sort: _, view = 'available', sortBy, ...filters } = search;
  const withPersonal = roles.some((role) => role !== 'VIEWER');
  const list = useList(
    PayoutTaskListDocument,
    {
      filter: toTaskFilter(filters, view, operatorId),
      sortBy: sortBy ?? 'OLDEST_FIRST',
      withPersonal,
      ...pageArguments(search),
    },
    // Every task is a payout.
    (data) => data.payoutTasks as Connection<TaskPartsFragment> | null,
  );
  const moves = { kinds: ['PAYOUT' as const], statuses: ['MARKET_AVAILABLE' as const] };
  useLiveRefresh(OrdersMovedDocument, { ...moves, merchantIds: filters.merchantIds }, list.refresh);
  usePoll(list.refresh, POLL_MS);
  return (
    <Page title="Payout tasks">
      <Views views={taskViews} current={view} />
      <FilterBar filters={taskFilters} values={filters} />
      <ListTable
        name="payout-tasks"
        noun={['task', 'tasks']}
        columns={taskColumns}
        list={list}
        rowKey={({ id }) => id}
        rowLink={({ orderNo }) => ({ to: '/payout-tasks/$orderNo', params: { orderNo } })}
        tools={<SortChoice value={sortBy} />}
        empty={<NoTasks view={view} isFiltered={Object.keys(filters).length > 0} />}
      />
    </Page>
  );
}

function NoTasks({ view, isFiltered }: { view: keyof typeof taskViews; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No task matches">Remove a filter, or look at all tasks.</Empty>;
  if (view === 'mine') return <Empty title="You have no task">Claim one that is available, and it appears here.</Empty>;
  if (view === 'asked')
    return (
      <Empty title="No operator is asked">A task whose time is over appears here until its operator answers.</Empty>
    );
  if (view === 'review')
    return (
      <Empty title="No proof waits for a review">When an operator has paid and proved it, the task appears here.</Empty>
    );
  return (
    <Empty title={view === 'available' ? 'No task is available' : 'There are no open tasks'}>
      Payouts of merchants with a route to the task market appear here. An operator claims one, pays it, and proves it.
    </Empty>
  );
}
