import { groupCount } from '../format/money.ts';
import { plainWords } from '../format/words.ts';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Panel } from '../parts/page.tsx';
import type { OrderDetail } from './order-detail.ts';
import { PaymentLines } from './payment-lines.tsx';

type Transfer = OrderDetail['transfers']['edges'][number]['node'];

/** Payments that the channel reported, and transfers of the ledger. */
export function OrderMoney({ order }: { order: OrderDetail }) {
  const { payments, transfers } = order;
  return (
    <>
      {payments.edges.length > 0 && (
        <Panel title="Payments" side={groupCount(payments.totalCount)} isFlush>
          <PaymentLines payments={payments.edges.map(({ node }) => node)} order={order} />
        </Panel>
      )}
      {transfers.edges.length > 0 && (
        <Panel title="Transfers" side={groupCount(transfers.totalCount)} isFlush>
          <Lines
            label="Transfers"
            columns={transferColumns}
            rows={transfers.edges.map(({ node }) => node)}
            rowKey={({ transferNo }) => transferNo}
          />
        </Panel>
      )}
    </>
  );
}

const transferColumns: LineColumn<Transfer>[] = [
  {
    title: 'From',
    wraps: true,
    cell: ({ transferNo, cause, debit }) => (
      <span title={`Transfer ${transferNo}: ${plainWords(cause)}`}>{accountName(debit)}</span>
    ),
  },
  { title: 'To', wraps: true, cell: ({ credit }) => accountName(credit) },
  { title: 'Amount', align: 'end', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
];

/** An account of the ledger in words: `channel:sandbox` is `Channel sandbox`. */
export function accountName(account: string): string {
  const [name = '', id] = account.split(':');
  return id === undefined ? plainWords(name) : `${plainWords(name)} ${id}`;
}
