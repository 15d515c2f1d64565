import { getRouteApi } from '@tanstack/react-router';
import { BreakListDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { SavedViews } from '../list/saved-views.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs, Views } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { breakColumns } from './break-columns.tsx';
import { breakFilters, breakViews, reconciliationTabs } from './reconciliation-filters.ts';
import { toBreakFilter } from './to-filter.ts';

const route = getRouteApi('/shell/reconciliation/breaks');
/** How often the list is read again, in milliseconds. */
const POLL_MS = 15_000;

/** Differences between statements and the ledger: the oldest open ones first. */
export function BreaksPage() {
  const search = route.useSearch();
  const zone = useTimeZone();
  const { after: _after, before: _before, sort: _sort, view = 'open', ...filters } = search;
  const isWork = view === 'open' || view === 'mine' || view === 'posting';
  const list = useList(
    BreakListDocument,
    {
      filter: toBreakFilter(filters, view, zone),
      sort: isWork ? 'OLDEST_FIRST' : 'NEWEST_FIRST',
      ...pageArguments(search),
    },
    (data) => data.breaks,
  );
  useApprovalNews(useSoon(list.refresh));
  usePoll(list.refresh, POLL_MS);
  return (
    <Page title="Breaks" actions={<SavedViews screen="RECONCILIATION" filters={{ ...filters, view: search.view }} />}>
      <Tabs label="Reconciliation" tabs={reconciliationTabs} current="/reconciliation/breaks" />
      <Views views={breakViews} current={view} />
      <FilterBar filters={breakFilters} values={filters} />
      <ListTable
        name="breaks"
        noun={['break', 'breaks']}
        columns={breakColumns}
        list={list}
        rowKey={({ id }) => id}
        rowLink={({ country, breakNo }) => ({
          to: '/reconciliation/breaks/$country/$breakNo',
          params: { country, breakNo: String(breakNo) },
        })}
        empty={<NoBreaks view={view} isFiltered={Object.keys(filters).length > 0} />}
      />
    </Page>
  );
}

function NoBreaks({ view, isFiltered }: { view: keyof typeof breakViews; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No break matches">Remove a filter, or look at all breaks.</Empty>;
  if (view === 'mine')
    return <Empty title="You have no break">Take one from the open breaks, and it appears here.</Empty>;
  if (view === 'posting')
    return <Empty title="Nothing is being posted">Payments that two operators agreed to enter appear here.</Empty>;
  if (view === 'ended') return <Empty title="No break has ended yet">Decided and explained breaks appear here.</Empty>;
  return (
    <Empty title={view === 'open' ? 'No open break' : 'No breaks yet'}>
      What a statement shows and the ledger does not, or the other way round, appears here.
    </Empty>
  );
}
