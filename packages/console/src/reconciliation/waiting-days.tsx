import { getRouteApi } from '@tanstack/react-router';
import { countryNames } from '../format/words.ts';
import { type DayRowFragment, WaitingDayListDocument } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Empty } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { describeLines } from './day-grid.tsx';
import { describeDay, showDay } from './day-look.ts';
import { waitingDayFilters } from './reconciliation-filters.ts';
import { toWaitingDayFilter } from './to-filter.ts';

const route = getRouteApi('/shell/reconciliation');
/** How often the list is read again, in milliseconds. */
const POLL_MS = 15_000;

/** The days that can be closed, or whose statement is missing: the oldest first, of any time. */
export function WaitingDays({ view }: { view: 'toClose' | 'noStatement' }) {
  const search = route.useSearch();
  const { after: _after, before: _before, sort: _sort, view: _view, days: _days, ...filters } = search;
  const variables = { filter: toWaitingDayFilter(filters, view), ...pageArguments(search) };
  const list = useList(WaitingDayListDocument, variables, (data) => data.waitingDays);
  usePoll(list.refresh, POLL_MS);
  return (
    <>
      <FilterBar filters={waitingDayFilters} values={filters} />
      <ListTable
        name="waiting days"
        noun={['day', 'days']}
        columns={columns}
        list={list}
        rowKey={({ country, channelId, day }) => `${country} ${channelId} ${day}`}
        rowLink={({ country, channelId, day }) => ({
          to: '/reconciliation/days/$country/$channelId/$day',
          params: { country, channelId, day },
        })}
        empty={view === 'toClose' ? <NothingToClose /> : <NothingMissing />}
      />
    </>
  );
}

function NothingToClose() {
  return (
    <Empty title="No day to close">
      A day that is over, matched and without open breaks appears here until two operators close it.
    </Empty>
  );
}

function NothingMissing() {
  return (
    <Empty title="No statement is missing">
      A day that is over appears here if no statement covers it, and none is being fetched.
    </Empty>
  );
}

const columns: readonly Column<DayRowFragment>[] = [
  { id: 'day', title: 'Day', cell: ({ day }) => showDay(day, 'dayMonthYear') },
  {
    id: 'channel',
    title: 'Channel',
    phone: 'bottom',
    cell: ({ channelId }) => <span className="mono">{channelId}</span>,
  },
  { id: 'country', title: 'Country', phone: 'bottomEnd', cell: ({ country }) => countryNames[country] },
  {
    id: 'state',
    title: 'State',
    phone: 'topEnd',
    isFixed: true,
    cell: (row) => <Status word={describeDay(row)} />,
  },
  {
    id: 'lines',
    title: 'Statement lines',
    align: 'end',
    cell: ({ lines, explainedLines }) => describeLines(lines, explainedLines),
  },
];
