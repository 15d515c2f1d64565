import { countryNames, notificationStateWords, orderKindWords, orderStatusWords, testWord } from '../format/words.ts';
import type { OrderRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { CopyButton } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import styles from './order.module.css';

/** Columns of lists of orders. */
export const orderColumns: readonly Column<OrderRowFragment>[] = [
  { id: 'orderNo', title: 'Order', cell: ({ orderNo }) => <span className="mono">{orderNo}</span> },
  {
    id: 'copy',
    title: '',
    isFixed: true,
    cell: ({ orderNo }) => <CopyButton text={orderNo} what="order number" />,
  },
  { id: 'created', title: 'Created', phone: 'bottom', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'amount',
    title: 'Amount',
    align: 'end',
    phone: 'topEnd',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'status',
    title: 'Status',
    isFixed: true,
    phone: 'bottomEnd',
    cell: ({ status, isLive }) => (
      <>
        <Status word={orderStatusWords[status]} />
        {!isLive && <Status word={testWord} />}
      </>
    ),
  },
  {
    id: 'notified',
    title: 'Notified',
    from: 46,
    cell: ({ lastNotification }) =>
      lastNotification ? (
        <Status word={notificationStateWords[lastNotification.state]} />
      ) : (
        <span className="soft">–</span>
      ),
  },
  { id: 'kind', title: 'Kind', from: 60, cell: ({ kind }) => orderKindWords[kind].label },
  {
    id: 'merchant',
    title: 'Merchant',
    from: 56,
    cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
  },
  {
    id: 'merchantOrderNo',
    title: "Merchant's number",
    from: 80,
    cell: ({ merchantOrderNo }) => (
      <span className={`mono ${styles.short}`} title={merchantOrderNo}>
        {merchantOrderNo}
      </span>
    ),
  },
  { id: 'channel', title: 'Channel', from: 72, cell: ({ channelId }) => channelId },
  { id: 'country', title: 'Country', isExtra: true, cell: ({ country }) => countryNames[country] ?? country },
  {
    id: 'paid',
    title: 'Paid',
    align: 'end',
    isExtra: true,
    cell: ({ paidAmount, currency }) => <Money amount={paidAmount} currency={currency} />,
  },
  {
    id: 'completed',
    title: 'Completed',
    isExtra: true,
    cell: ({ completedAt }) => (completedAt ? <Time at={completedAt} /> : <span className="soft">–</span>),
  },
  { id: 'changed', title: 'Changed', isExtra: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { id: 'reason', title: 'Failure', isExtra: true, wraps: true, cell: ({ failure }) => failure ?? '' },
];
