import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionButton } from '../actions/action-button.tsx';
import { type Waiting, WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import {
  FindingListDocument,
  type FindingRowFragment,
  WaitingFindingsDocument,
} from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs, Views } from '../list/views.tsx';
import { Age } from '../parts/age.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { auditTabs, findingFilters, findingStateWords, findingViews, toFindingFilter } from './audit-filters.ts';
import { closeFinding } from './close-finding.tsx';

const route = getRouteApi('/shell/audit/findings');

/** Rules of the ledger that the audit found broken. */
export function FindingsPage() {
  const search = route.useSearch();
  const { after, before, sort: _, view = 'open', ...filters } = search;
  const list = useList(
    FindingListDocument,
    { filter: toFindingFilter(filters, view), ...pageArguments(search) },
    (data) => data.auditFindings,
  );
  const [{ data }, readWaiting] = useQuery({ query: WaitingFindingsDocument });
  const refresh = () => {
    list.refresh();
    readWaiting({ requestPolicy: 'network-only' });
  };
  useApprovalNews(useSoon(refresh));
  return (
    <Page title="Audit findings">
      <Tabs label="Audit" tabs={auditTabs} current="/audit/findings" />
      <WaitingApprovals approvals={data?.approvals} isPart />
      <Views views={findingViews} current={view} />
      <FilterBar filters={findingFilters} values={filters} />
      <ListTable
        name="findings"
        noun={['finding', 'findings']}
        columns={columns(data?.approvals, refresh)}
        list={list}
        rowKey={({ merchantId, findingNo }) => `${merchantId} ${findingNo}`}
        empty={
          <Empty title={view === 'open' ? 'The ledger is in order' : 'No findings'}>
            The audit checks all rules of the ledger every few seconds. What it finds broken stays here until an
            operator closes it.
          </Empty>
        }
      />
    </Page>
  );
}

function columns(approvals: Waiting, refresh: () => void): readonly Column<FindingRowFragment>[] {
  return [
    { id: 'rule', title: 'Rule', cell: ({ rule }) => rule },
    {
      id: 'state',
      title: 'State',
      phone: 'topEnd',
      isFixed: true,
      cell: ({ state }) => <Status word={findingStateWords[state]} />,
    },
    { id: 'subject', title: 'About', phone: 'bottom', cell: ({ subject }) => <span className="mono">{subject}</span> },
    { id: 'detail', title: 'Found and expected', wraps: true, cell: ({ detail }) => detail },
    {
      id: 'merchant',
      title: 'Merchant',
      from: 60,
      cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
    },
    {
      id: 'found',
      title: 'Found',
      from: 52,
      cell: ({ foundAt }) => (
        <>
          <Age at={foundAt} /> ago
        </>
      ),
    },
    { id: 'last', title: 'Last found', from: 70, cell: ({ lastFoundAt }) => <Time at={lastFoundAt} /> },
    {
      id: 'close',
      title: '',
      align: 'end',
      phone: 'bottomEnd',
      isFixed: true,
      cell: (row) =>
        row.state === 'OPEN' ? (
          <ActionButton action={closeFinding(row, approvals)} size="compact-xs" onDone={refresh} />
        ) : (
          row.closedAt && <Time at={row.closedAt} />
        ),
    },
  ];
}
