import { getRouteApi } from '@tanstack/react-router';
import { CaseListDocument, CasesMovedDocument } from '../generated/documents.generated.ts';
import { useLiveRefresh } from '../graphql/use-live-refresh.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Views } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { SortChoice } from '../work/sort-choice.tsx';
import { caseColumns } from './case-columns.tsx';
import { caseFilters, caseViews, toCaseFilter } from './case-filters.ts';

const route = getRouteApi('/shell/cases');

/** Money that waits for a decision, the open cases first. */
export function CasesPage() {
  const search = route.useSearch();
  const zone = useTimeZone();
  const { after, before, sort: _, view = 'open', sortBy, ...filters } = search;
  const filter = toCaseFilter(filters, view, zone);
  const first = view === 'open' || view === 'mine' || view === 'returning' ? 'OLDEST_FIRST' : 'NEWEST_FIRST';
  const list = useList(
    CaseListDocument,
    { filter, sortBy: sortBy ?? first, ...pageArguments(search) },
    (data) => data.moneyCases,
  );
  const { kinds, merchantIds } = filters;
  useLiveRefresh(CasesMovedDocument, { kinds, merchantIds }, list.refresh);
  return (
    <Page title="Cases">
      <Views views={caseViews} current={view} />
      <FilterBar filters={caseFilters} values={filters} />
      <ListTable
        name="cases"
        noun={['case', 'cases']}
        columns={caseColumns}
        list={list}
        rowKey={({ id }) => id}
        rowLink={({ merchantId, caseNo }) => ({
          to: '/cases/$merchantId/$caseNo',
          params: { merchantId, caseNo: String(caseNo) },
        })}
        tools={<SortChoice value={sortBy} first={first} />}
        empty={<NoCases view={view} isFiltered={Object.keys(filters).length > 0} />}
      />
    </Page>
  );
}

function NoCases({ view, isFiltered }: { view: keyof typeof caseViews; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No case matches">Remove a filter, or look at all cases.</Empty>;
  if (view === 'mine')
    return <Empty title="You have no case">Take one from the open cases, and it appears here.</Empty>;
  if (view === 'returning')
    return <Empty title="No money is being sent back">Cases that a channel is sending back appear here.</Empty>;
  if (view === 'decided')
    return <Empty title="No case was decided yet">Credited and returned cases appear here.</Empty>;
  return (
    <Empty title={view === 'open' ? 'No open case' : 'No cases yet'}>
      Money that arrives late, twice, or in a wrong amount opens a case here. So does money that matches no order.
    </Empty>
  );
}
