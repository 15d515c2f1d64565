import type { PoolClient } from 'pg';
import type { Currency } from '../../core/country.ts';
import { countries, timeZoneOf } from '../../countries/index.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { type BookedPayment, type ChannelTransfer, expectationsOf } from './decide-expectations.ts';
import {
  addExpectationsSql,
  behindSql,
  makeBreaksDueSql,
  nextTransfersSql,
  paymentsOfOrdersSql,
  referencesOfOrdersSql,
  settlementsOfTransfersSql,
  topUpsOfTransfersSql,
  unmatchedPaymentsSql,
  wasWrittenSinceSql,
} from './queries.ts';

/** How many merchants one call takes at most, and how many transfers of each. */
const most = { merchants: 50, transfers: 2_000 };

/** A transfer by which a channel paid a settlement: its number there, and the channel's own reference. */
interface SettledTransfer {
  transferNo: number;
  orderNo: string;
  channelRef: string | null;
}

interface Behind {
  merchantId: string;
  tenant: string;
  currency: Currency;
  zone: string;
  done: number | null;
  last: number;
  begins: number;
}

/**
 * Turns merchants' newest transfers into what statements have to show. Transfers are numbered without gaps under the merchant's lock, so the last
 * number is the position. Creates do nothing for it. Resolves to whether there may be more than one call takes.
 */
export function rollUpExpectations(domain: DatabaseAccess, limits = most): Promise<boolean> {
  return runExclusively(domain, 'expectations', async (client) => {
    const zones = countries.map((country) => timeZoneOf[country]);
    const { rows } = await client.query<Behind>(behindSql, [limits.merchants, countries, zones]);
    let isMore = rows.length === limits.merchants;
    for (const behind of rows) isMore = (await addMerchant(client, behind, limits.transfers)) || isMore;
    return isMore;
  });
}

async function addMerchant(client: PoolClient, behind: Behind, limit: number): Promise<boolean> {
  const { merchantId, tenant, currency, zone } = behind;
  const after = behind.done ?? (await lastBefore(client, behind));
  const { rows } = await client.query<ChannelTransfer>(nextTransfersSql, [merchantId, after, limit]);
  const { transfers, isMore } = wholeBatches(rows, limit);
  const orderNos = [...new Set(transfers.map(({ orderNo }) => orderNo).filter((orderNo) => orderNo !== null))];
  const unmatchedAt = transfers.filter(({ orderNo }) => orderNo === null).map(({ createdAt }) => createdAt);
  const payments = [
    ...(await read<BookedPayment>(client, paymentsOfOrdersSql, merchantId, orderNos)),
    ...(await read<BookedPayment>(client, unmatchedPaymentsSql, merchantId, unmatchedAt)),
  ];
  const found = expectationsOf(transfers, payments, currency);
  const references = await read<{ orderNo: string; orderRef: string | null; bankRef: string | null }>(
    ...([client, referencesOfOrdersSql, merchantId, orderNos] as const),
  );
  const byOrder = new Map(references.map((one) => [one.orderNo, one]));
  const unnamed = found.filter(({ orderNo }) => orderNo === null).map(({ transferNo }) => transferNo);
  const settled = await read<SettledTransfer>(client, settlementsOfTransfersSql, merchantId, unnamed);
  const toppedUp = found.filter(({ cause }) => cause === 'top_up').map(({ transferNo }) => transferNo);
  const topUps = await read<{ transferNo: number; bankRef: string }>(
    client,
    topUpsOfTransfersSql,
    merchantId,
    toppedUp,
  );
  const byTransfer = new Map([...settled, ...topUps].map((one) => [one.transferNo, one]));
  const rowsToAdd = found.map((one) => ({
    ...(one.orderNo !== null && byOrder.get(one.orderNo)),
    // A proof is about the payment that settles the order, not about other money of it.
    ...(one.cause !== 'payout_settle' && { bankRef: null }),
    ...one,
    ...byTransfer.get(one.transferNo),
  }));
  const until = transfers.at(-1)?.transferNo ?? after;
  await client.query(addExpectationsSql, [JSON.stringify(rowsToAdd), tenant, zone, merchantId, until]);
  const named = rowsToAdd.flatMap(({ orderNo }) => orderNo ?? []);
  if (named.length > 0) await client.query(makeBreaksDueSql, [tenant, named]);
  return isMore;
}

async function read<Row extends object>(
  client: PoolClient,
  text: string,
  merchantId: string,
  keys: readonly (string | number)[],
): Promise<Row[]> {
  return keys.length === 0 ? [] : (await client.query<Row>(text, [merchantId, keys])).rows;
}

/** One row more than the limit was read. The last transaction is left for the next call if it is cut. */
function wholeBatches(rows: readonly ChannelTransfer[], limit: number) {
  if (rows.length <= limit) return { transfers: rows, isMore: false };
  const next = rows[limit];
  const whole = rows.slice(0, limit).filter(({ batchNo }) => batchNo !== next?.batchNo);
  return { transfers: whole.length > 0 ? whole : rows.slice(0, limit), isMore: true };
}

/** The last transfer before the reconciliation begins. Numbers grow with time, so few rows are looked at. */
async function lastBefore(client: PoolClient, { merchantId, last, begins }: Behind): Promise<number> {
  let [low, high] = [0, last + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const { rows } = await client.query<{ isSince: boolean }>(wasWrittenSinceSql, [merchantId, middle, begins]);
    if (rows[0]?.isSince === false) low = middle;
    else high = middle;
  }
  return low;
}
