import { randomBytes } from 'node:crypto';
import { setRoute } from '../configuration/set-route.ts';
import type { CreatePayout } from '../core/commands.ts';
import type { Decision } from '../core/operator.ts';
import type { Order, OrderMode } from '../core/order.ts';
import { makeOrderNo } from '../core/order-number.ts';
import type { Domain } from '../open-domain.ts';
import { aNewOrder } from './on-paper.ts';
import { aMerchant } from './open-test-domain.ts';
import { aTopUp } from './payins.ts';

// Payouts on a real database, as commands.

/** The ledger writer's command for a new payout of this merchant, over 100.00 with a fee of 2.50, through the fake channel or the market. */
export function aPayout(
  merchantId: string,
  country: 'IN' | 'PK',
  changes: Parameters<typeof aNewOrder>[2] = {},
): CreatePayout {
  const orderNo = makeOrderNo('payout', merchantId, Date.now(), randomBytes(12));
  const numbers = { merchantId, orderNo, merchantOrderNo: orderNo };
  return { type: 'createPayout', order: aNewOrder(country, 'payout', { ...numbers, ...changes }) };
}

/** A payout in the ledger, as the ledger writer leaves it. */
export async function placePayout(domain: Domain, ...of: Parameters<typeof aPayout>): Promise<Order> {
  const placed = await domain.commit(aPayout(...of));
  if (!placed.ok || !placed.order) throw new Error('not placed');
  return placed.order;
}

/** A merchant with money in its wallet; its payouts go through the fake channel, or to the task market. */
export async function aFundedMerchant(
  domain: Domain,
  country: 'IN' | 'PK',
  available = '10000.00',
  mode: OrderMode = 'upstream',
): Promise<{ merchantId: string; privateKeyPem: string }> {
  const merchant = await aMerchant(domain, country);
  if (mode !== 'upstream') await setRoute(domain, merchant.merchantId, 2, { kind: 'payout', channelId: 'fake', mode });
  await domain.commit(aTopUp(merchant.merchantId, 'OPENING', available));
  return merchant;
}

export const by = (actor: string, approver: string | null = null): Decision => ({ actor, approver, reason: 'a test' });

/** The number of rows of each table, but of the one that only a running transaction uses. */
export async function rowCounts(domain: Domain): Promise<Record<string, number>> {
  const tables = await domain.database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
       and relname <> 'unexplained_suspense' order by 1`,
  );
  const counts = tables.rows.map(({ name }) => `select '${name}' as name, count(*)::integer as count from "${name}"`);
  const { rows } = await domain.database.pool.query<{ name: string; count: number }>(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
