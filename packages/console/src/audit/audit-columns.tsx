import { plainWords } from '../format/words.ts';
import type { AuditRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Time } from '../parts/time.tsx';

/** Columns of the audit log. */
export const auditColumns: readonly Column<AuditRowFragment>[] = [
  { id: 'action', title: 'Action', cell: ({ action }) => plainWords(action) },
  { id: 'at', title: 'When', phone: 'topEnd', isFixed: true, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'actor',
    title: 'Who',
    phone: 'bottomEnd',
    isFixed: true,
    cell: ({ actor, approver }) => (
      <>
        {actor}
        {approver !== null && <span className="soft"> and {approver}</span>}
      </>
    ),
  },
  {
    id: 'subject',
    title: 'About',
    phone: 'bottom',
    wraps: true,
    cell: ({ subject }) => <span className="mono">{subject}</span>,
  },
  {
    id: 'merchant',
    title: 'Merchant',
    from: 60,
    cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
  },
  { id: 'reason', title: 'Reason', wraps: true, cell: ({ reason }) => reason },
  { id: 'number', title: 'Number', isExtra: true, cell: ({ auditNo }) => <span className="figures">{auditNo}</span> },
];
