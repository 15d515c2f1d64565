import { failureInWords } from '../../core/notification.ts';
import type { Order } from '../../core/order.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { VaultAccess } from '../../database/vault.ts';
import type { Scope } from '../../lists/scope.ts';
import { type OrderFilter, orderLists, pageOrders, SearchTooWide } from '../../orders/index.ts';
import { type ColumnOf, ExportProblem, type Source, sourceOfList } from './source.ts';

/** Without payers and payees: a file is copied more easily than a page. */
const columns: readonly ColumnOf<Order>[] = [
  ['order', 'text', ({ orderNo }) => orderNo],
  ['merchant', 'text', ({ merchantId }) => merchantId],
  ['merchant order', 'text', ({ merchantOrderNo }) => merchantOrderNo],
  ['kind', 'text', ({ kind }) => kind],
  ['country', 'text', ({ country }) => country],
  ['status', 'text', ({ status }) => status],
  ['money', 'text', ({ isLive }) => (isLive ? 'live' : 'test')],
  ['currency', 'text', ({ currency }) => currency],
  ['amount', 'amount', ({ amount }) => amount],
  ['fee', 'amount', ({ feeAmount }) => feeAmount],
  ['net amount', 'amount', ({ netAmount }) => netAmount],
  ['paid', 'amount', ({ paidAmount }) => paidAmount],
  ['channel', 'text', ({ channelId }) => channelId],
  ['channel reference', 'text', ({ channelRef }) => channelRef],
  ['bank code', 'text', ({ bankCode }) => bankCode],
  ['created', 'time', ({ createdAt }) => createdAt],
  ['completed', 'time', ({ completedAt }) => completedAt],
  ['failure', 'text', failureInWords],
];

const only = new Set<keyof Order>([
  ...(['orderNo', 'merchantId', 'merchantOrderNo', 'kind', 'country', 'status', 'currency', 'amount'] as const),
  ...(['feeAmount', 'netAmount', 'paidAmount', 'channelId', 'channelRef', 'bankCode', 'createdAt'] as const),
  ...(['completedAt', 'failureReason', 'isLive'] as const),
]);

/** More than for a page that an operator waits for, and below the limit of a statement. */
const patienceMs = 10_000;

/** Orders by filter, the oldest first. */
export function openOrders(
  domain: DatabaseAccess & VaultAccess,
  scope: Scope,
  filter: OrderFilter,
  maxRows: number,
): Promise<Source> {
  // Every role that may export orders may search by personal data.
  const options = { isReversed: true, isScan: true, only, maySeePersonal: true, patienceMs };
  const read = (page: Parameters<typeof pageOrders>[3]) =>
    pageOrders(domain, scope, filter, page, options).catch((error: unknown) => {
      throw error instanceof SearchTooWide ? new ExportProblem(error.message) : error;
    });
  return sourceOfList<Order, 'orders'>(orderLists.created, columns, read, maxRows + 1);
}
