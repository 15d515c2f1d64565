import { getRouteApi } from '@tanstack/react-router';
import { plainWords } from '../format/words.ts';
import {
  StatementLineListDocument,
  type StatementLineListQuery,
  type StatementRowFragment,
} from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Money } from '../parts/money.tsx';
import { Empty } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { showDay } from './day-look.ts';
import { directionWords } from './reconciliation-words.ts';

const route = getRouteApi('/shell/reconciliation/statements/$country/$fileNo');
type Line = NonNullable<StatementLineListQuery['statementLines']>['edges'][number]['node'];

/** The lines of a statement, page by page, each with what explains it. */
export function StatementContent({ statement: { country, fileNo, state } }: { statement: StatementRowFragment }) {
  const variables = { filter: { country, fileNo }, ...pageArguments(route.useSearch()) };
  const list = useList(StatementLineListDocument, variables, (data) => data.statementLines);
  return (
    <ListTable
      name="statement lines"
      noun={['line', 'lines']}
      columns={columnsFor(country)}
      list={list}
      rowKey={({ line: { lineNo, part } }) => `${lineNo} ${part}`}
      empty={
        <Empty title="No lines">
          {state === 'IMPORTED'
            ? 'The file has no line of this channel.'
            : 'Lines are there once the file is imported.'}
        </Empty>
      }
    />
  );
}

function columnsFor(country: string): readonly Column<Line>[] {
  return [
    {
      id: 'row',
      title: 'Row',
      cell: ({ line: { lineNo, part } }) => (
        <span className="figures">{part === 0 ? lineNo : `${lineNo}, part ${part}`}</span>
      ),
    },
    {
      id: 'net',
      title: 'Net',
      align: 'end',
      phone: 'topEnd',
      isFixed: true,
      cell: ({ line: { direction, net, currency } }) => (
        <Money amount={direction === 'OUT' ? negated(net) : net} currency={currency} />
      ),
    },
    { id: 'type', title: 'What', phone: 'bottom', cell: ({ line }) => plainWords(line.type) },
    {
      id: 'match',
      title: 'Matched',
      phone: 'bottomEnd',
      isFixed: true,
      wraps: true,
      cell: (row) => <Explained row={row} country={country} />,
    },
    { id: 'day', title: 'Day', from: 46, cell: ({ line }) => showDay(line.day) },
    {
      id: 'channelRef',
      title: "Channel's reference",
      from: 54,
      wraps: true,
      cell: ({ line }) => <span className="mono">{line.channelRef ?? '–'}</span>,
    },
    {
      id: 'bankRef',
      title: 'Bank reference',
      isExtra: true,
      wraps: true,
      cell: ({ line }) => <span className="mono">{line.bankRef ?? '–'}</span>,
    },
    { id: 'direction', title: 'Direction', isExtra: true, cell: ({ line }) => directionWords[line.direction] },
    {
      id: 'gross',
      title: 'Gross',
      isExtra: true,
      align: 'end',
      cell: ({ line }) => <Money amount={line.gross} currency={line.currency} />,
    },
  ];
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** The order that a line was matched with, its open break, or nothing yet. */
function Explained({ row: { match, breakNo, line }, country }: { row: Line; country: string }) {
  const broken = breakNo !== null && (
    <ScreenLink to={`/reconciliation/breaks/${country}/${breakNo}`}>{`Break ${breakNo}`}</ScreenLink>
  );
  if (match === null) return <span className="in-text">{broken || <span className="soft">Not yet</span>}</span>;
  const { orderNo, movements, rule, difference } = match;
  return (
    <span className="in-text">
      {orderNo === null ? (
        'Movement of the ledger'
      ) : (
        <ScreenLink to={`/orders/${orderNo}`}>
          <span className="mono">{orderNo}</span>
        </ScreenLink>
      )}
      {movements > 1 && ` and ${movements - 1} more`}
      <span className="soft"> by {plainWords(rule).toLowerCase()}</span>
      {!/^0\.0*$/.test(difference) && (
        <>
          , differs by <Money amount={difference} currency={line.currency} />
        </>
      )}
      {broken && <> ({broken})</>}
    </span>
  );
}
