import { getRouteApi } from '@tanstack/react-router';
import { groupCount } from '../format/money.ts';
import { countryNames } from '../format/words.ts';
import { WalletListDocument, type WalletListQuery } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { merchantFilters, toMerchantFilter } from '../merchants/merchant-filters.ts';
import { Money } from '../parts/money.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';

const route = getRouteApi('/shell/wallets');
type Row = NonNullable<WalletListQuery['merchants']>['edges'][number]['node'];

const money = (amount: string, { currency }: Row['wallet']) => <Money amount={amount} currency={currency} />;

const columns: readonly Column<Row>[] = [
  { id: 'name', title: 'Merchant', wraps: true, cell: ({ name }) => name },
  {
    id: 'number',
    title: 'Number',
    phone: 'bottom',
    cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
  },
  { id: 'country', title: 'Country', from: 62, cell: ({ country }) => countryNames[country] ?? country },
  {
    id: 'available',
    title: 'Available',
    align: 'end',
    phone: 'topEnd',
    cell: ({ wallet }) => money(wallet.available, wallet),
  },
  {
    id: 'frozen',
    title: 'Frozen',
    align: 'end',
    phone: 'bottomEnd',
    cell: ({ wallet }) => money(wallet.frozen, wallet),
  },
  { id: 'balance', title: 'Balance', align: 'end', from: 50, cell: ({ wallet }) => money(wallet.balance, wallet) },
  {
    id: 'entries',
    title: 'Entries',
    align: 'end',
    isExtra: true,
    cell: ({ wallet }) => groupCount(wallet.lastEntryNo),
  },
  { id: 'changed', title: 'Last entry', from: 56, cell: ({ wallet }) => <Time at={wallet.updatedAt} /> },
];

/** The wallets of all merchants. */
export function WalletsPage() {
  const search = route.useSearch();
  const { after, before, sort, ...filters } = search;
  const variables = { filter: toMerchantFilter(filters), ...pageArguments(search) };
  const list = useList(WalletListDocument, variables, (data) => data.merchants);
  return (
    <Page title="Wallets">
      <FilterBar filters={merchantFilters} values={filters} />
      <ListTable
        name="wallets"
        noun={['wallet', 'wallets']}
        columns={columns}
        list={list}
        rowKey={({ merchantId }) => merchantId}
        rowLink={({ merchantId }) => ({ to: '/wallets/$merchantId', params: { merchantId } })}
        empty={<Empty title="No wallet">Each merchant has one wallet, in the currency of its country.</Empty>}
      />
    </Page>
  );
}
