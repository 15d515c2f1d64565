import type { TaskPartsFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Age, TimeLeft } from '../parts/age.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { stageOf, taskStageWords } from './task-state.ts';

/** Columns of the payout tasks. */
export const taskColumns: readonly Column<TaskPartsFragment>[] = [
  { id: 'orderNo', title: 'Payout', cell: ({ orderNo }) => <span className="mono">{orderNo}</span> },
  {
    id: 'amount',
    title: 'Amount',
    align: 'end',
    phone: 'topEnd',
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { id: 'age', title: 'Waits for', phone: 'bottom', cell: ({ createdAt }) => <Age at={createdAt} /> },
  {
    id: 'state',
    title: 'State',
    phone: 'bottomEnd',
    isFixed: true,
    cell: (row) => <Status word={taskStageWords[stageOf(row)]} />,
  },
  {
    id: 'left',
    title: 'Time left',
    from: 60,
    cell: (row) =>
      stageOf(row) === 'claimed' && row.nextActionAt ? (
        <TimeLeft until={row.nextActionAt} />
      ) : (
        <span className="soft">–</span>
      ),
  },
  {
    id: 'claimedBy',
    title: 'Claimed by',
    from: 46,
    cell: ({ task }) => task?.claimedBy ?? <span className="soft">–</span>,
  },
  { id: 'payee', title: 'Payee', from: 52, cell: ({ party }) => party?.name ?? <span className="soft">–</span> },
  { id: 'bank', title: 'Bank', from: 72, cell: ({ bankCode }) => bankCode ?? <span className="soft">–</span> },
  {
    id: 'merchant',
    title: 'Merchant',
    from: 62,
    cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
  },
  { id: 'created', title: 'Created', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];
