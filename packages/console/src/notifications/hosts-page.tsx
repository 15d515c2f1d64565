import { getRouteApi } from '@tanstack/react-router';
import { attemptProblem } from '../format/attempt-words.ts';
import { groupCount } from '../format/money.ts';
import type { Word } from '../format/words.ts';
import { type HostRowFragment, NotificationHostsDocument } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { hostFilters, notificationTabs, toHostFilter } from './notification-filters.ts';

const route = getRouteApi('/shell/notifications/hosts');
/** How often the list is read again, in milliseconds. A new host is listed one to two minutes after its first attempt. */
const POLL_MS = 15_000;

const columns: readonly Column<HostRowFragment>[] = [
  { id: 'host', title: 'Host', wraps: true, cell: ({ host }) => host },
  {
    id: 'merchant',
    title: 'Merchant',
    phone: 'bottom',
    cell: ({ merchantId }) => (
      <ScreenLink to={`/merchants/${merchantId}`}>
        <span className="mono">{merchantId}</span>
      </ScreenLink>
    ),
  },
  { id: 'state', title: 'State', phone: 'topEnd', cell: (row) => <Status word={stateOf(row)} /> },
  {
    id: 'waiting',
    title: 'Waiting',
    align: 'end',
    phone: 'bottomEnd',
    cell: ({ waiting }) => `${waiting.isExact ? '' : 'more than '}${groupCount(waiting.count)}`,
  },
  {
    id: 'oldest',
    title: 'Oldest since',
    from: 60,
    cell: ({ waiting }) => (waiting.oldestAt ? <Time at={waiting.oldestAt} /> : <span className="soft">–</span>),
  },
  {
    id: 'success',
    title: 'Last success',
    from: 52,
    cell: ({ lastSuccessAt }) => (lastSuccessAt ? <Time at={lastSuccessAt} /> : <span className="soft">never</span>),
  },
  {
    id: 'error',
    title: 'Last failure',
    wraps: true,
    cell: ({ lastFailureAt, lastError, lastHttpStatus }) =>
      lastFailureAt ? (
        <>
          <Time at={lastFailureAt} />{' '}
          <span className="soft">
            {(lastError ?? lastHttpStatus) !== null && attemptProblem({ httpStatus: lastHttpStatus, error: lastError })}
          </span>
        </>
      ) : (
        <span className="soft">none</span>
      ),
  },
];

function stateOf({ isPaused, isBreakerOpen, lastSuccessAt, lastFailureAt }: HostRowFragment): Word {
  if (isPaused) return { label: 'Paused', tone: 'warn' };
  if (isBreakerOpen) return { label: 'Tried less often', tone: 'bad' };
  const isFailing = lastFailureAt !== null && (lastSuccessAt === null || lastSuccessAt < lastFailureAt);
  return isFailing ? { label: 'Fails', tone: 'bad' } : { label: 'Answers', tone: 'good' };
}

/** The hosts that notifications go to, and how each answers. */
export function HostsPage() {
  const search = route.useSearch();
  const { after, before, sort, ...filters } = search;
  const variables = { filter: toHostFilter(filters), ...pageArguments(search) };
  const list = useList(NotificationHostsDocument, variables, (data) => data.notificationHosts);
  usePoll(list.refresh, POLL_MS);
  return (
    <Page title="Hosts of notifications">
      <Tabs label="Notifications" tabs={notificationTabs} current="/notifications/hosts" />
      <FilterBar filters={hostFilters} values={filters} />
      <ListTable
        name="hosts"
        noun={['host', 'hosts']}
        columns={columns}
        list={list}
        rowKey={({ merchantId, host }) => `${merchantId} ${host}`}
        rowLink={({ host, merchantId }) => ({ to: '/notifications', search: { host, merchantIds: [merchantId] } })}
        empty={<Empty title="No host">Hosts appear here after the first attempt, and stay for 30 days.</Empty>}
      />
    </Page>
  );
}
