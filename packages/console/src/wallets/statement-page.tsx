import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionMenu } from '../actions/action-button.tsx';
import { daysOf } from '../format/period.ts';
import { formatTime } from '../format/time.ts';
import {
  WalletOfDocument,
  WalletStatementPageDocument,
  type WalletStatementPageQuery,
} from '../generated/documents.generated.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { type Connection, useList } from '../list/use-list.ts';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Facts, Page, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { entryColumns } from './entry-columns.tsx';
import { entryTypeWords } from './entry-words.ts';
import { StatementCsv } from './statement-csv.tsx';
import { statementFilters } from './statement-filters.ts';
import { walletActions } from './wallet-actions.tsx';
import styles from './wallets.module.css';

const route = getRouteApi('/shell/wallets/$merchantId');
type Statement = NonNullable<WalletStatementPageQuery['walletStatement']>;

/** The statement of a wallet: opening balance, movements, closing balance. Without a filter: the last 30 days. */
export function StatementPage() {
  const { merchantId } = route.useParams();
  const search = route.useSearch();
  const zone = useTimeZone();
  const { period = '30d', types } = search;
  const days = daysOf(period, zone);
  const input = { merchantId, timeZone: zone, ...days };
  const filter = types && { types };
  const variables = { input, ...(filter && { filter }), ...pageArguments(search) };
  const [{ data, error }, read] = useQuery({ query: WalletOfDocument, variables: { merchantId } });
  const [{ data: page }] = useQuery({ query: WalletStatementPageDocument, variables });
  const list = useList(WalletStatementPageDocument, variables, (answer) => answer.walletStatement?.entries);
  const merchant = data?.merchant ?? null;
  const statement = page?.walletStatement ?? null;
  const refresh = () => {
    read({ requestPolicy: 'network-only' });
    list.refresh();
  };
  return (
    <Page
      title={merchant ? `Wallet of ${merchant.name}` : `Wallet of ${merchantId}`}
      actions={
        <>
          <Button variant="default" onClick={() => window.print()}>
            Print
          </Button>
          <StatementCsv input={input} filter={filter} name={`${merchantId}-${days.firstDay}-${days.lastDay}.csv`} />
          {merchant && <ActionMenu actions={walletActions(merchant)} onDone={refresh} />}
        </>
      }
    >
      {error && <Failure error={error} retry={refresh} />}
      <FilterBar filters={statementFilters} values={{ period, types }} />
      <PartOfStatement page={list.connection} />
      <p className={styles.printOnly}>Times are in the time zone {zone}.</p>
      {statement && <Summary statement={statement} zone={zone} merchantId={merchantId} />}
      <ListTable
        name="statement"
        noun={['entry', 'entries']}
        columns={entryColumns(statement?.currency ?? merchant?.wallet.currency ?? '')}
        list={list}
        rowKey={({ entryNo }) => String(entryNo)}
        empty={
          <Empty title="No entry in this period">Choose a longer period, or remove the filter for the type.</Empty>
        }
      />
    </Page>
  );
}

/** On paper a part must not look like the whole. */
function PartOfStatement({ page }: { page: Connection<unknown> | null }) {
  if (!page?.pageInfo.hasNextPage && !page?.pageInfo.hasPreviousPage) return null;
  return (
    <p className={styles.printOnly}>
      These are {page.edges.length} entries, not all of the period. The sums are of all. Export, HTML has the whole
      statement to print.
    </p>
  );
}

function Summary({ statement, zone, merchantId }: { statement: Statement; zone: string; merchantId: string }) {
  const { currency, opening, closing, totals, from, to } = statement;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const day = (at: string, back = 0) => formatTime(new Date(Date.parse(at) - back), zone, 'dayMonthYear');
  return (
    <Panel
      title={`${day(from)} to ${day(to, 1)}`}
      side={
        <>
          <span className="mono">{merchantId}</span>
          <span className={styles.screenOnly}>
            <ScreenLink to={`/settlements/cycles/${merchantId}`}>Settle to the bank</ScreenLink>
          </span>
        </>
      }
    >
      <Facts
        values={{
          'Opening balance': money(opening.balance),
          'Frozen at the beginning': money(opening.frozen),
          'Closing balance': money(closing.balance),
          'Frozen at the end': money(closing.frozen),
        }}
      />
      {totals && totals.length > 0 && (
        <div className={styles.sums}>
          <Lines
            label="Sums by type"
            rows={totals}
            rowKey={({ type }) => type}
            columns={[
              { title: 'Type', cell: ({ type }) => entryTypeWords[type] },
              { title: 'Entries', align: 'end', cell: ({ entries }) => entries },
              { title: 'Available', align: 'end', cell: ({ availableChange }) => money(availableChange) },
              { title: 'Frozen', align: 'end', cell: ({ frozenChange }) => money(frozenChange) },
            ]}
          />
        </div>
      )}
    </Panel>
  );
}
