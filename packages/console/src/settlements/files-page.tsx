import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionButton } from '../actions/action-button.tsx';
import { useWhyNot } from '../actions/operation.ts';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { countryNames } from '../format/words.ts';
import {
  SettlementFileListDocument,
  type SettlementFileRowFragment,
  WaitingSettlementFilesDocument,
} from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs } from '../list/views.tsx';
import { maskedAccount } from '../parts/bank-account.tsx';
import { DownloadButton } from '../parts/download-button.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { showDay } from '../reconciliation/day-look.ts';
import { useOwnCountries } from '../session/use-me.ts';
import { createFile } from './create-file.tsx';
import { fileFilters, settlementTabs, toFileFilter } from './settlement-filters.ts';
import { fileStateWords } from './settlement-words.ts';
import styles from './settlements.module.css';

const route = getRouteApi('/shell/settlements/files');
/** How often the list is read again, in milliseconds. */
const POLL_MS = 15_000;

/** Files with which our banks pay settlements: the newest first. */
export function FilesPage() {
  const search = route.useSearch();
  const { after: _after, before: _before, sort: _sort, ...filters } = search;
  const variables = { filter: toFileFilter(filters), ...pageArguments(search) };
  const list = useList(SettlementFileListDocument, variables, (data) => data.settlementFiles);
  const [{ data }, readWaiting] = useQuery({ query: WaitingSettlementFilesDocument });
  const refresh = () => {
    list.refresh();
    readWaiting({ requestPolicy: 'network-only' });
  };
  useApprovalNews(useSoon(refresh));
  usePoll(refresh, POLL_MS);
  const own = useOwnCountries();
  const mayDownload = useWhyNot()('createSettlementFile') === null;
  return (
    <Page title="Bank files" actions={<ActionButton variant="filled" action={createFile(own)} onDone={refresh} />}>
      <Tabs label="Settlements" tabs={settlementTabs} current="/settlements/files" />
      <WaitingApprovals approvals={data?.approvals} />
      <p className={`${styles.hint} in-text`}>
        Upload each file to the bank once. A statement of the bank confirms its payments: import it. Or confirm each of
        the{' '}
        <ScreenLink to="/settlements" search={{ view: 'paid' }}>
          settlements to confirm
        </ScreenLink>{' '}
        with a second operator.
      </p>
      <FilterBar filters={fileFilters} values={filters} />
      <ListTable
        name="bank files"
        noun={['bank file', 'bank files']}
        columns={columnsFor(mayDownload)}
        list={list}
        rowKey={({ fileNo }) => fileNo}
        empty={<Empty title="No bank file">A bank file pays the approved settlements of a country at once.</Empty>}
      />
    </Page>
  );
}

/** `mayDownload`: only finance pays. */
function columnsFor(mayDownload: boolean): readonly Column<SettlementFileRowFragment>[] {
  return [
    { id: 'number', title: 'Bank file', cell: ({ fileNo }) => <span className="mono">{fileNo}</span> },
    {
      id: 'total',
      title: 'Total',
      align: 'end',
      phone: 'topEnd',
      isFixed: true,
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    },
    {
      id: 'payments',
      title: 'Payments',
      align: 'end',
      phone: 'bottom',
      cell: ({ settlements }) => `${settlements} ${settlements === 1 ? 'payment' : 'payments'}`,
    },
    {
      id: 'download',
      title: 'File',
      phone: 'bottomEnd',
      isFixed: true,
      cell: ({ state, downloadPath, fileNo }) =>
        downloadPath !== null && mayDownload ? (
          <DownloadButton path={downloadPath} name={`${fileNo}.xml`} />
        ) : (
          <Status word={fileStateWords[state]} />
        ),
    },
    { id: 'day', title: 'Day of payment', cell: ({ executionDay }) => showDay(executionDay, 'dayMonthYear') },
    { id: 'country', title: 'Country', from: 54, cell: ({ merchantId }) => countryNames[merchantId.slice(-2)] },
    { id: 'account', title: 'Paid from', from: 46, cell: ({ account }) => maskedAccount(account) },
    { id: 'created', title: 'Created', from: 60, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'by', title: 'By', from: 70, cell: ({ createdBy }) => createdBy },
    { id: 'state', title: 'State', isExtra: true, cell: ({ state }) => <Status word={fileStateWords[state]} /> },
  ];
}
