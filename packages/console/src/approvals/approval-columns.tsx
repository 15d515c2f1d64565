import type { ApprovalRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Age, TimeLeft } from '../parts/age.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { approvalStateWords } from './approval-words.ts';

/** Columns of lists of approvals. */
export const approvalColumns: readonly Column<ApprovalRowFragment>[] = [
  { id: 'operation', title: 'What', wraps: true, cell: ({ title }) => title },
  {
    id: 'subject',
    title: 'About',
    phone: 'bottom',
    isFixed: true,
    cell: ({ subject, merchantId }) => (
      <>
        <span className="mono">{subject}</span>
        {merchantId !== 'PLATFORM' && merchantId !== subject && <span className="soft"> of {merchantId}</span>}
      </>
    ),
  },
  {
    id: 'money',
    title: 'Amount',
    align: 'end',
    phone: 'bottomEnd',
    isFixed: true,
    cell: ({ money }) =>
      money ? <Money amount={money.amount} currency={money.currency} /> : <span className="soft">–</span>,
  },
  {
    id: 'state',
    title: 'State',
    phone: 'topEnd',
    isFixed: true,
    cell: ({ state }) => <Status word={approvalStateWords[state]} />,
  },
  { id: 'requestedBy', title: 'Asked by', from: 56, cell: ({ requestedBy }) => requestedBy },
  {
    id: 'age',
    title: 'Asked',
    from: 70,
    cell: ({ requestedAt }) => (
      <>
        <Age at={requestedAt} /> ago
      </>
    ),
  },
  {
    id: 'expires',
    title: 'Time left',
    from: 60,
    cell: ({ state, expiresAt }) =>
      state === 'PENDING' ? <TimeLeft until={expiresAt} /> : <span className="soft">–</span>,
  },
  { id: 'decidedBy', title: 'Decided by', isExtra: true, cell: ({ decidedBy }) => decidedBy ?? '–' },
  {
    id: 'decidedAt',
    title: 'Decided',
    isExtra: true,
    cell: ({ decidedAt }) => (decidedAt ? <Time at={decidedAt} /> : <span className="soft">–</span>),
  },
];
