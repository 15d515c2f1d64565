import type { StuckPayoutRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Age } from '../parts/age.tsx';
import { CopyButton } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import { Assignee } from '../work/assignee.tsx';
import { StuckActions } from './stuck-actions.tsx';

/** Columns of the stuck payouts. `refresh` reads the list again after an action. */
export function stuckColumns(refresh: () => void): readonly Column<StuckPayoutRowFragment>[] {
  return [
    { id: 'orderNo', title: 'Payout', cell: ({ orderNo }) => <span className="mono">{orderNo}</span> },
    {
      id: 'copy',
      title: '',
      isFixed: true,
      cell: ({ orderNo }) => <CopyButton text={orderNo} what="order number" />,
    },
    {
      id: 'amount',
      title: 'Amount',
      align: 'end',
      phone: 'topEnd',
      isFixed: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    { id: 'age', title: 'Waits for', phone: 'bottom', isFixed: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
    { id: 'channel', title: 'Channel', from: 60, cell: ({ channelId }) => channelId },
    {
      id: 'channelRef',
      title: "Channel's reference",
      from: 80,
      cell: ({ channelRef }) => <span className="mono">{channelRef ?? '–'}</span>,
    },
    {
      id: 'merchant',
      title: 'Merchant',
      from: 52,
      cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
    },
    { id: 'assignee', title: 'Assigned to', from: 50, cell: ({ assignment }) => <Assignee assignment={assignment} /> },
    {
      id: 'next',
      title: 'Asked again',
      isExtra: true,
      cell: ({ nextActionAt }) => (nextActionAt ? <Time at={nextActionAt} /> : <span className="soft">–</span>),
    },
    {
      id: 'actions',
      title: '',
      align: 'end',
      isFixed: true,
      phone: 'bottomEnd',
      cell: (row) => <StuckActions row={row} refresh={refresh} />,
    },
  ];
}
