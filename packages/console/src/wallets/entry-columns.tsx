import type { EntryRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { entryTypeWords } from './entry-words.ts';

/** Columns of lists of wallet entries. */
export function entryColumns(currency: string): readonly Column<EntryRowFragment>[] {
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return [
    { id: 'no', title: 'No.', cell: ({ entryNo }) => <span className="figures">{entryNo}</span> },
    { id: 'at', title: 'Booked', phone: 'bottom', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'type', title: 'Type', phone: 'bottomEnd', cell: ({ type }) => entryTypeWords[type] },
    {
      id: 'change',
      title: 'Available',
      align: 'end',
      phone: 'topEnd',
      cell: ({ availableChange }) => money(availableChange),
    },
    { id: 'frozen', title: 'Frozen', align: 'end', from: 50, cell: ({ frozenChange }) => money(frozenChange) },
    { id: 'after', title: 'Available after', align: 'end', cell: ({ availableAfter }) => money(availableAfter) },
    {
      id: 'frozenAfter',
      title: 'Frozen after',
      align: 'end',
      isExtra: true,
      cell: ({ frozenAfter }) => money(frozenAfter),
    },
    {
      id: 'about',
      title: 'About',
      wraps: true,
      cell: ({ orderNo, bookingNo, counterAccount, corrects, remark }) => (
        <>
          {orderNo && (
            <ScreenLink to={`/orders/${orderNo}`}>
              <span className="mono">{orderNo}</span>
            </ScreenLink>
          )}
          {bookingNo && <Copyable text={bookingNo} what="number of the transfer" />} {remark}
          {counterAccount && <span className="soft"> against {counterAccount}</span>}
          {corrects && <span className="soft">, corrects {corrects}</span>}
        </>
      ),
    },
  ];
}
