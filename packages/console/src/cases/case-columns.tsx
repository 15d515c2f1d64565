import { caseKindWords, caseStateWords, isPlatform } from '../format/case-words.ts';
import type { CaseRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Age } from '../parts/age.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Assignee } from '../work/assignee.tsx';

/** Columns of lists of cases. */
export const caseColumns: readonly Column<CaseRowFragment>[] = [
  { id: 'kind', title: 'Case', cell: ({ kind }) => caseKindWords[kind] },
  {
    id: 'amount',
    title: 'Amount',
    align: 'end',
    phone: 'topEnd',
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { id: 'age', title: 'Waits for', phone: 'bottom', cell: (row) => <Waiting row={row} /> },
  {
    id: 'state',
    title: 'State',
    phone: 'bottomEnd',
    isFixed: true,
    cell: ({ state }) => <Status word={caseStateWords[state]} />,
  },
  { id: 'assignee', title: 'Assigned to', cell: ({ assignment }) => <Assignee assignment={assignment} /> },
  {
    id: 'merchant',
    title: 'Merchant',
    from: 46,
    cell: ({ merchantId }) =>
      isPlatform(merchantId) ? (
        <span className="soft">No merchant yet</span>
      ) : (
        <span className="mono">{merchantId}</span>
      ),
  },
  { id: 'order', title: 'Order', from: 52, cell: ({ orderNo }) => <span className="mono">{orderNo ?? '–'}</span> },
  { id: 'channel', title: 'Channel', from: 60, cell: ({ channelId }) => channelId },
  { id: 'number', title: 'Number', isExtra: true, cell: ({ caseNo }) => <span className="figures">{caseNo}</span> },
  { id: 'opened', title: 'Opened', isExtra: true, cell: ({ openedAt }) => <Time at={openedAt} /> },
];

function Waiting({ row: { state, openedAt, closedAt } }: { row: CaseRowFragment }) {
  if (state === 'OPEN' || closedAt === null) return <Age at={openedAt} />;
  return (
    <span className="soft">
      until <Time at={closedAt} />
    </span>
  );
}
