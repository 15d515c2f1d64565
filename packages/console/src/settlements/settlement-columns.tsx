import { countryNames } from '../format/words.ts';
import type { SettlementRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { maskedAccount } from '../parts/bank-account.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { showDay } from '../reconciliation/day-look.ts';
import { settlementStateWords } from './settlement-words.ts';

/** Columns of lists of settlements. */
export const settlementColumns: readonly Column<SettlementRowFragment>[] = [
  { id: 'number', title: 'Settlement', cell: ({ settlementNo }) => <span className="mono">{settlementNo}</span> },
  {
    id: 'amount',
    title: 'Amount',
    align: 'end',
    phone: 'topEnd',
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'merchant',
    title: 'Merchant',
    phone: 'bottom',
    cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
  },
  {
    id: 'state',
    title: 'State',
    phone: 'bottomEnd',
    isFixed: true,
    cell: ({ state }) => <Status word={settlementStateWords[state]} />,
  },
  { id: 'run', title: 'Run on', cell: ({ runDay }) => showDay(runDay, 'dayMonthYear') },
  { id: 'cutOff', title: 'Up to', from: 46, cell: ({ cutOff }) => showDay(cutOff, 'dayMonthYear') },
  { id: 'country', title: 'Country', from: 54, cell: ({ country }) => countryNames[country] },
  { id: 'account', title: 'Bank account', from: 64, cell: ({ account }) => maskedAccount(account) },
  { id: 'drafted', title: 'First draft', isExtra: true, cell: ({ draftedAt }) => <Time at={draftedAt} /> },
];

/** Link to the page of a settlement. */
export function settlementLink({ merchantId, settlementNo }: SettlementRowFragment) {
  return { to: '/settlements/$merchantId/$settlementNo', params: { merchantId, settlementNo } };
}
