import { getRouteApi } from '@tanstack/react-router';
import { groupDigits } from '../format/money.ts';
import { type CycleRowFragment, SettlementCycleListDocument } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs } from '../list/views.tsx';
import { maskedAccount } from '../parts/bank-account.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { showDay } from '../reconciliation/day-look.ts';
import { cycleFilters, settlementTabs } from './settlement-filters.ts';
import { weekdayWords } from './settlement-words.ts';

const route = getRouteApi('/shell/settlements/cycles');

/** When and to which bank account each merchant is settled. */
export function CyclesPage() {
  const search = route.useSearch();
  const { after: _after, before: _before, sort: _sort, ...filter } = search;
  const variables = { filter, ...pageArguments(search) };
  const list = useList(SettlementCycleListDocument, variables, (data) => data.settlementCycles);
  return (
    <Page title="Settlement cycles">
      <Tabs label="Settlements" tabs={settlementTabs} current="/settlements/cycles" />
      <FilterBar filters={cycleFilters} values={filter} />
      <ListTable
        name="settlement cycles"
        noun={['cycle', 'cycles']}
        columns={columns}
        list={list}
        rowKey={({ merchantId }) => merchantId}
        rowLink={({ merchantId }) => ({ to: '/settlements/cycles/$merchantId', params: { merchantId } })}
        empty={<Empty title="No cycle">A merchant gets one on its page: Settings, Settlement cycle.</Empty>}
      />
    </Page>
  );
}

const columns: readonly Column<CycleRowFragment>[] = [
  { id: 'merchant', title: 'Merchant', cell: ({ merchantId }) => <span className="mono">{merchantId}</span> },
  {
    id: 'days',
    title: 'Settled after',
    phone: 'bottom',
    cell: ({ workingDays }) => (workingDays === 1 ? '1 working day' : `${workingDays} working days`),
  },
  {
    id: 'weekdays',
    title: 'Runs on',
    from: 46,
    cell: ({ weekdays }) => weekdays.map((day) => weekdayWords[day]).join(', '),
  },
  { id: 'account', title: 'Bank account', phone: 'topEnd', cell: ({ account }) => maskedAccount(account) },
  { id: 'minimum', title: 'Minimum', align: 'end', from: 40, cell: ({ minimum }) => <Figure amount={minimum} /> },
  { id: 'keep', title: 'Stays', align: 'end', from: 54, cell: ({ keep }) => <Figure amount={keep} /> },
  { id: 'begins', title: 'Begins on', from: 60, cell: ({ beginsOn }) => showDay(beginsOn, 'dayMonthYear') },
];

/** In the currency of the merchant. */
function Figure({ amount }: { amount: string }) {
  return <span className="figures">{groupDigits(amount, '')}</span>;
}
