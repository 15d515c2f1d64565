import { Button } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useWhyNot } from '../actions/operation.ts';
import { countryNames } from '../format/words.ts';
import { MerchantListDocument, type MerchantRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Money } from '../parts/money.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { merchantFilters, toMerchantFilter } from './merchant-filters.ts';
import { merchantStatusWords } from './merchant-words.ts';

const route = getRouteApi('/shell/merchants');

const columns: readonly Column<MerchantRowFragment>[] = [
  { id: 'name', title: 'Merchant', wraps: true, cell: ({ name }) => name },
  {
    id: 'number',
    title: 'Number',
    phone: 'bottom',
    cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
  },
  { id: 'country', title: 'Country', from: 60, cell: ({ country }) => countryNames[country] ?? country },
  {
    id: 'status',
    title: 'Status',
    phone: 'bottomEnd',
    cell: ({ status }) => <Status word={merchantStatusWords[status]} />,
  },
  {
    id: 'available',
    title: 'Available',
    align: 'end',
    phone: 'topEnd',
    cell: ({ wallet }) => <Money amount={wallet.available} currency={wallet.currency} />,
  },
  {
    id: 'frozen',
    title: 'Frozen',
    align: 'end',
    from: 50,
    cell: ({ wallet }) => <Money amount={wallet.frozen} currency={wallet.currency} />,
  },
  { id: 'warnings', title: 'To set up', cell: ({ setupWarnings }) => <Warnings warnings={setupWarnings} /> },
  { id: 'created', title: 'Created', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The list of merchants. */
export function MerchantsPage() {
  const search = route.useSearch();
  const { after, before, sort, ...filters } = search;
  const filter = toMerchantFilter(filters);
  const list = useList(MerchantListDocument, { filter, ...pageArguments(search) }, (data) => data.merchants);
  const navigate = useNavigate();
  const mayCreate = useWhyNot()('createMerchant') === null;
  return (
    <Page
      title="Merchants"
      actions={mayCreate && <Button onClick={() => void navigate({ to: '/merchants/new' })}>New merchant</Button>}
    >
      <FilterBar filters={merchantFilters} values={filters} />
      <ListTable
        name="merchants"
        noun={['merchant', 'merchants']}
        columns={columns}
        list={list}
        rowKey={({ merchantId }) => merchantId}
        rowLink={({ merchantId }) => ({ to: '/merchants/$merchantId', params: { merchantId } })}
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No merchant matches">Remove a filter.</Empty>
          ) : (
            <Empty title="No merchants yet">Every merchant that you may see appears here.</Empty>
          )
        }
      />
    </Page>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return <span className="soft">–</span>;
  return <Status word={{ label: warnings.length === 1 ? '1 thing' : `${warnings.length} things`, tone: 'warn' }} />;
}
