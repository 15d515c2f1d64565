import { getRouteApi } from '@tanstack/react-router';
import { SettlementEntriesDocument } from '../generated/documents.generated.ts';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Empty } from '../parts/page.tsx';
import { entryColumns } from '../wallets/entry-columns.tsx';

const route = getRouteApi('/shell/settlements/$merchantId/$settlementNo');

interface EntriesProps {
  merchantId: string;
  settlementNo: string;
  currency: string;
}

/** The wallet entries behind a settlement, page by page, the newest first. */
export function SettlementEntries({ merchantId, settlementNo, currency }: EntriesProps) {
  const variables = { filter: { merchantId, settlementNo }, ...pageArguments(route.useSearch()) };
  const list = useList(SettlementEntriesDocument, variables, (data) => data.settlementEntries);
  return (
    <ListTable
      name="settlement entries"
      noun={['wallet entry', 'wallet entries']}
      columns={entryColumns(currency)}
      list={list}
      rowKey={({ entryNo }) => String(entryNo)}
      empty={<Empty title="No movement">It settles what the settlement before carried over.</Empty>}
    />
  );
}
