import { getRouteApi } from '@tanstack/react-router';
import { type ApprovalFilter, ApprovalListDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Views } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { useMe } from '../session/use-me.ts';
import { approvalColumns } from './approval-columns.tsx';
import { approvalFilters } from './approval-filters.ts';
import { approvalViews } from './approval-words.ts';

const route = getRouteApi('/shell/approvals');
type View = keyof typeof approvalViews;
/** Waiting approvals all have the same state, so this view has no filter for the state. */
const { states: _, ...withoutState } = approvalFilters;

/** Operations that need two operators: those that wait for this one first. */
export function ApprovalsPage() {
  const search = route.useSearch();
  const { operatorId } = useMe();
  const { after, before, sort: _sort, view = 'waiting', ...filters } = search;
  const list = useList(
    ApprovalListDocument,
    { filter: filterOf(filters, view, operatorId), ...pageArguments(search) },
    (data) => data.approvals,
  );
  useApprovalNews(useSoon(list.refresh));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title="Approvals">
      <Views views={approvalViews} current={view} />
      <FilterBar filters={view === 'waiting' ? withoutState : approvalFilters} values={filters} />
      <ListTable
        name="approvals"
        noun={['approval', 'approvals']}
        columns={approvalColumns}
        list={list}
        rowKey={({ approvalId }) => approvalId}
        rowLink={({ approvalId }) => ({ to: '/approvals/$approvalId', params: { approvalId } })}
        empty={<NoApprovals view={view} isFiltered={isFiltered} />}
      />
    </Page>
  );
}

function filterOf(filters: ApprovalFilter, view: View, operatorId: string): ApprovalFilter {
  if (view === 'waiting') return { ...filters, waitingForMe: true };
  return view === 'asked' ? { ...filters, requestedBy: operatorId } : filters;
}

function NoApprovals({ view, isFiltered }: { view: View; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No approval matches">Remove a filter, or look at all approvals.</Empty>;
  if (view === 'waiting')
    return (
      <Empty title="Nothing waits for you">
        When another operator asks for something that needs two, it appears here and in the navigation.
      </Empty>
    );
  if (view === 'asked')
    return (
      <Empty title="You requested nothing yet">Your requests that another operator has to approve appear here.</Empty>
    );
  return (
    <Empty title="No approvals yet">Operations that need two operators appear here, also after the decision.</Empty>
  );
}
