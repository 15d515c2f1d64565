import { type Command, namedOrder, uniqueOrders } from '../../core/commands.ts';
import type { Order } from '../../core/order.ts';
import { OrderRow, orderChanges } from '../../database/entities/order.ts';
import { byOrder, type ColumnsOf, insertMany, selectList, update } from './queries.ts';
import { type Known, key, type LedgerRecord, readByKeys } from './record.ts';

/** An order as a batch knows it. */
export interface KnownOrder {
  readonly order: Order | null;
  readonly isNew: boolean;
  readonly isChanged: boolean;
}

/** The key of the order that the command creates or may refer to; null if it has none. */
export function orderKeyOf(command: Command): string | null {
  const ref = 'order' in command ? command.order : namedOrder(command);
  return ref && key(ref.merchantId, ref.orderNo);
}

/** The existing orders that the commands may refer to, as keys of a query. */
export function orderKeys(commands: readonly Command[], named = namedOrder): string[][] {
  const refs = uniqueOrders(commands.map(named).filter((ref) => ref !== null));
  return [refs.map(({ merchantId }) => merchantId), refs.map(({ orderNo }) => orderNo)];
}

function queries(columns: ColumnsOf) {
  const all = columns(OrderRow);
  return {
    ordersByKey: { name: 'orders-by-key', text: `select ${selectList(all)} from orders t ${byOrder}` },
    insertOrders: insertMany('orders', all),
    updateOrders: update<Order>('orders', all, orderChanges),
  };
}

/** Orders. They are written in their state after the batch. */
export const orders = {
  queries,
  async load({ client, sql }, commands) {
    const found = await readByKeys<Order>(client, sql.ordersByKey, orderKeys(commands));
    return new Map(
      found.map((order) => [key(order.merchantId, order.orderNo), { order, isNew: false, isChanged: false }]),
    );
  },
  state: (known, command) => ({ order: knownOrder(known, command)?.order ?? null }),
  keep(known, command, { state: { order, existing } }) {
    const at = orderKeyOf(command);
    if (at === null) return;
    const before = known.get(at);
    const isNew = before?.isNew === true || ('order' in command && !existing);
    // An answer that says nothing new writes nothing.
    const isChanged = before?.isChanged === true || order !== (before?.order ?? null);
    known.set(at, { order, isNew, isChanged });
  },
} satisfies LedgerRecord<KnownOrder, ReturnType<typeof queries>>;

function knownOrder(known: Known<KnownOrder>, command: Command): KnownOrder | undefined {
  const at = orderKeyOf(command);
  return at === null ? undefined : known.get(at);
}

/** The orders that the batch has created, and those that it has changed, in their final state. */
export function writtenOrders(known: Known<KnownOrder>): { newOrders: Order[]; changedOrders: Order[] } {
  const changed = [...known.values()].filter(({ isChanged }) => isChanged);
  return {
    newOrders: changed.flatMap(({ order, isNew }) => (order && isNew ? [order] : [])),
    changedOrders: changed.flatMap(({ order, isNew }) => (order && !isNew ? [order] : [])),
  };
}
