import {
  type OrderFilter,
  OrderListDocument,
  type OrderRowFragment,
  type OrderSort,
} from '../generated/documents.generated.ts';
import { CsvButton, type CsvColumns } from '../list/csv-button.tsx';

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
  ['failure', ({ failureReason }) => failureReason],
  ['notification', ({ lastNotification }) => lastNotification?.state.toLowerCase() ?? null],
];

/** Saves the orders that match the filters as CSV. */
export function ExportButton({ filter, sortBy }: { filter: OrderFilter; sortBy: OrderSort | undefined }) {
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
