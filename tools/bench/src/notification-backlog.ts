import { createPayin, type Domain } from '@tidegate/domain';
import pg from 'pg';
import { merchantNo, orderRequest } from './merchants.ts';
import { merchantOf } from './send-to-writer.ts';

/**
 * Makes `count` due notifications of one merchant to `notifyUrl`: completes one payin, and copies the order and its
 * notification under other numbers. The user of `databaseUrl` must be a superuser, because the copies are made with
 * triggers disabled.
 */
export async function makeBacklog(
  domain: Domain,
  databaseUrl: string,
  count: number,
  notifyUrl: string,
): Promise<void> {
  const merchant = await merchantOf(domain, merchantNo('payin', 1));
  const created = await createPayin(domain, merchant, { ...orderRequest('payin'), notifyUrl });
  if (!created.ok) throw new Error(`a payin was refused: ${created.rejection}`);
  const { merchantId, orderNo, amount } = created.value;
  const answer = { outcome: 'paid', payments: [{ reference: 'P1', amount }] } as const;
  const paid = await domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'bank',
    answer,
    during: 'callback',
  });
  if (!paid.ok) throw new Error(`a payin was not completed: ${paid.rejection}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`begin; set local session_replication_role = 'replica'`);
    for (const copy of [copyOrders, copyNotifications]) await client.query(copy, [merchantId, orderNo, count - 1]);
    await client.query('commit; analyze');
  } finally {
    await client.end();
  }
}

// Replaces the last characters of the order number, which are random.
const number = `overlay($2::text placing lpad(i::text, 8, '0') from length($2::text) - 7)`;

const copyOrders = `insert into orders select copy.* from orders o, generate_series(1, $3::integer) i,
  jsonb_populate_record(o, jsonb_build_object('order_no', ${number}, 'merchant_order_no', ${number})) copy
  where o.merchant_id = $1 and o.order_no = $2`;

const copyNotifications = `insert into notification select copy.* from notification n, generate_series(1, $3::integer) i,
  jsonb_populate_record(n, jsonb_build_object('order_no', ${number}, 'held_by', 'host', 'body', replace(n.body, $2::text, ${number}))) copy
  where n.merchant_id = $1 and n.order_no = $2`;
