import { ExportMenu } from '../exports/menu.tsx';
import {
  type OrderFilter,
  OrderListDocument,
  type OrderRowFragment,
  type OrderSort,
} from '../generated/documents.generated.ts';
import { CsvButton, type CsvColumns } from '../list/csv-button.tsx';
import { useMe } from '../session/use-me.ts';

const COLUMNS: CsvColumns<OrderRowFragment> = [
  ['order', ({ orderNo }) => orderNo],
  ['merchant', ({ merchantId }) => merchantId],
  ['merchant order', ({ merchantOrderNo }) => merchantOrderNo],
  ['kind', ({ kind }) => kind.toLowerCase()],
  ['country', ({ country }) => country],
  ['status', ({ status }) => status.toLowerCase()],
  ['amount', ({ amount }) => amount],
  ['paid', ({ paidAmount }) => paidAmount],
  ['currency', ({ currency }) => currency],
  ['channel', ({ channelId }) => channelId],
  ['created', ({ createdAt }) => createdAt],
  ['completed', ({ completedAt }) => completedAt],
  ['failure', ({ failure }) => failure],
  ['notification', ({ lastNotification }) => lastNotification?.state.toLowerCase() ?? null],
];

/** Exports the orders that match the filters. A viewer saves what the list shows, which needs no right of its own. */
export function ExportButton({ filter, sortBy }: { filter: OrderFilter; sortBy: OrderSort | undefined }) {
  const mayExport = useMe().roles.some((role) => role !== 'VIEWER');
  if (mayExport) return <ExportMenu what={{ orders: filter }} formats={['CSV', 'XLSX']} />;
  return (
    <CsvButton
      file="orders.csv"
      what="orders"
      columns={COLUMNS}
      document={OrderListDocument}
      variables={{ filter, sortBy }}
      pick={(data) => data.orders}
    />
  );
}
