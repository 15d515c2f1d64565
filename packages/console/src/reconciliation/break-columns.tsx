import { countryNames } from '../format/words.ts';
import type { BreakRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { Age } from '../parts/age.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Assignee } from '../work/assignee.tsx';
import { showDay } from './day-look.ts';
import { breakKindWords, breakStateWords } from './reconciliation-words.ts';

/** Columns of lists of breaks. */
export const breakColumns: readonly Column<BreakRowFragment>[] = [
  { id: 'kind', title: 'Break', cell: ({ kind }) => breakKindWords[kind] },
  {
    id: 'amount',
    title: 'Statement beyond ledger',
    align: 'end',
    phone: 'topEnd',
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { id: 'channel', title: 'Channel', phone: 'bottom', cell: ({ channelId }) => channelId },
  { id: 'day', title: 'Expected on', from: 46, cell: ({ day }) => showDay(day) },
  { id: 'age', title: 'Found', cell: (row) => <Found row={row} /> },
  {
    id: 'state',
    title: 'State',
    phone: 'bottomEnd',
    isFixed: true,
    cell: ({ state }) => <Status word={breakStateWords[state]} />,
  },
  { id: 'assignee', title: 'Assigned to', from: 60, cell: ({ assignment }) => <Assignee assignment={assignment} /> },
  { id: 'order', title: 'Order', from: 68, cell: ({ orderNo }) => <span className="mono">{orderNo ?? '–'}</span> },
  { id: 'country', title: 'Country', isExtra: true, cell: ({ country }) => countryNames[country] },
  { id: 'number', title: 'Number', isExtra: true, cell: ({ breakNo }) => <span className="figures">{breakNo}</span> },
];

function Found({ row: { openedAt, closedAt } }: { row: BreakRowFragment }) {
  if (closedAt === null)
    return (
      <>
        <Age at={openedAt} /> ago
      </>
    );
  return (
    <span className="soft">
      ended <Time at={closedAt} />
    </span>
  );
}
