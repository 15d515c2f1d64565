import { getRouteApi } from '@tanstack/react-router';
import { useWhyNot } from '../actions/operation.ts';
import { groupDigits } from '../format/money.ts';
import { countryNames } from '../format/words.ts';
import { StatementListDocument, type StatementRowFragment } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs } from '../list/views.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { ImportLink } from './import-link.tsx';
import styles from './reconciliation.module.css';
import { reconciliationTabs, statementFilters } from './reconciliation-filters.ts';
import { statementStateWords } from './reconciliation-words.ts';
import { CoveredDays, ReadRows } from './statement-lines.tsx';
import { toStatementFilter } from './to-filter.ts';

const route = getRouteApi('/shell/reconciliation/statements');
/** How often the list is read again while a file is being imported, in milliseconds. */
const POLL_MS = 3_000;

/** Files of channels and banks: how far each has come, and why one was refused. */
export function StatementsPage() {
  const search = route.useSearch();
  const { after: _after, before: _before, sort: _sort, ...filters } = search;
  const list = useList(
    StatementListDocument,
    { filter: toStatementFilter(filters), ...pageArguments(search) },
    (data) => data.statements,
  );
  const isMoving = list.rows.some(({ state }) => state === 'RECEIVED' || state === 'UPLOADING');
  usePoll(list.refresh, isMoving ? POLL_MS : null);
  return (
    <Page title="Statements" actions={<ImportLink />}>
      <Tabs label="Reconciliation" tabs={reconciliationTabs} current="/reconciliation/statements" />
      <FilterBar filters={statementFilters} values={filters} />
      <ListTable
        name="statements"
        noun={['statement', 'statements']}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowLink={({ country, fileNo }) => ({
          to: '/reconciliation/statements/$country/$fileNo',
          params: { country, fileNo: String(fileNo) },
        })}
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No statement matches">Remove a filter.</Empty>
          ) : (
            <Empty title="No statement yet">
              Import the file of a channel or a bank. It is listed here from then on.
            </Empty>
          )
        }
      />
    </Page>
  );
}

const columns: readonly Column<StatementRowFragment>[] = [
  {
    id: 'name',
    title: 'File',
    wraps: true,
    cell: ({ name, fileNo }) => (
      <>
        {name} <span className="soft">no. {fileNo}</span>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    phone: 'topEnd',
    isFixed: true,
    cell: ({ state }) => <Status word={statementStateWords[state]} />,
  },
  {
    id: 'refusal',
    title: 'What is wrong',
    phone: 'bottom',
    isFixed: true,
    cell: (row) => <Problem row={row} />,
  },
  { id: 'channel', title: 'Channel', cell: ({ channelId }) => channelId ?? <span className="soft">–</span> },
  { id: 'country', title: 'Country', from: 80, cell: ({ country }) => countryNames[country] },
  { id: 'days', title: 'Days', from: 50, cell: (row) => <CoveredDays row={row} /> },
  { id: 'lines', title: 'Lines', align: 'end', phone: 'bottomEnd', cell: (row) => <ReadRows row={row} /> },
  {
    id: 'in',
    title: 'In',
    from: 72,
    align: 'end',
    cell: ({ totalIn, currency }) => <Sum amount={totalIn} currency={currency} />,
  },
  {
    id: 'out',
    title: 'Out',
    from: 72,
    align: 'end',
    cell: ({ totalOut, currency }) => <Sum amount={totalOut} currency={currency} />,
  },
  { id: 'uploaded', title: 'Uploaded', from: 60, cell: ({ uploadedAt }) => <Time at={uploadedAt} /> },
  { id: 'by', title: 'By', isExtra: true, cell: ({ uploadedBy }) => uploadedBy },
  { id: 'format', title: 'Format', isExtra: true, cell: ({ format }) => format ?? '–' },
  {
    id: 'size',
    title: 'Bytes',
    isExtra: true,
    align: 'end',
    cell: ({ sizeBytes }) => groupDigits(String(sizeBytes), ''),
  },
];

function Problem({ row: { state, refusal, country, fileNo } }: { row: StatementRowFragment }) {
  const whyNot = useWhyNot()('importStatement');
  if (state === 'REFUSED') return <span className={styles.refusal}>{refusal}</span>;
  if (state === 'UPLOADED' && whyNot === null)
    return (
      <ScreenLink to="/reconciliation/statements/new" search={{ country, fileNo: String(fileNo) }}>
        Import
      </ScreenLink>
    );
  return <span className="soft">–</span>;
}

function Sum({ amount, currency }: { amount: string | null; currency: string }) {
  return amount === null ? <span className="soft">–</span> : <Money amount={amount} currency={currency} />;
}
