import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { MerchantRecord } from '../configuration/list-merchants.ts';
import type { Order, OrderStatus } from '../core/order.ts';
import { makeOrderNo } from '../core/order-number.ts';
import type { Domain } from '../open-domain.ts';
import { aNewOrder, noon } from './on-paper.ts';

// Orders without any other rows, for tests of lists: any status, any time, many in the same millisecond.

export type Shop = Pick<MerchantRecord, 'merchantId' | 'country'>;

const statuses: OrderStatus[] = ['created', 'processing', 'completed', 'failed', 'cancelled'];

/** A row of an order of this merchant, created at noon. */
export function aWrittenOrder({ merchantId, country }: Shop, changes: Partial<Order> = {}): Order {
  const { kind = 'payin', status = 'processing', createdAt = noon } = changes;
  const orderNo = makeOrderNo(kind, merchantId, createdAt, randomBytes(12));
  const numbers = { merchantId, orderNo, merchantOrderNo: `M-${orderNo.slice(-8)}` };
  const order = aNewOrder(country, kind, { ...numbers, ...changes });
  return {
    ...order,
    status,
    paidAmount: '0.00',
    channelRef: null,
    payLink: null,
    payQr: null,
    task: null,
    failureReason: null,
    contradiction: null,
    nextAction: null,
    nextActionAt: null,
    attempt: 0,
    expiresAt: null,
    traceparent: null,
    commandId: null,
    batchNo: 1,
    createdAt,
    updatedAt: createdAt,
    completedAt: status === 'completed' ? createdAt : null,
    ...changes,
  };
}

/** Orders of these merchants, created within 40 milliseconds after noon. */
export function anyOrders(shops: readonly Shop[]): fc.Arbitrary<Order[]> {
  const one = fc
    .record({
      shop: fc.constantFrom(...shops),
      isPayout: fc.boolean(),
      status: fc.constantFrom(...statuses),
      after: fc.nat(40),
      cents: fc.integer({ min: 1_000, max: 5_000 }),
      channelId: fc.constantFrom('fake', 'other'),
    })
    .map(({ shop, isPayout, status, after, cents, channelId }): Order => {
      const kind = isPayout && (shop.country === 'IN' || shop.country === 'PK') ? 'payout' : 'payin';
      const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      return aWrittenOrder(shop, { kind, status, createdAt: noon + after, amount, channelId });
    });
  return fc.array(one, { maxLength: 60 });
}

/** Inserts them with the triggers disabled. */
export async function writeOrders(domain: Domain, orders: readonly Order[]): Promise<void> {
  await past(domain, async (run) =>
    run({ ...domain.sql.insertOrders, values: domain.sql.insertOrders.valuesOf(orders) }),
  );
}

export async function deleteOrders(domain: Domain): Promise<void> {
  await past(domain, (run) => run({ text: 'delete from orders', values: [] }));
}

async function past(
  { database }: Domain,
  work: (run: (query: { name?: string; text: string; values: unknown[] }) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    await work((query) => client.query(query));
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}
