import {
  addMerchantKey,
  bookWallet,
  createMerchant,
  setChannel,
  setFeeRule,
  setRoute,
} from '../../../packages/domain/src/entries/admin.ts';
import type { Country, Domain } from '../../../packages/domain/src/index.ts';
import { takeKeyPair } from '../../../packages/domain/src/testing/key-pool.ts';
import { aCreate } from '../../../packages/domain/src/testing/payins.ts';
import { aPayout } from '../../../packages/domain/src/testing/payouts.ts';
import { inThePast } from '../../../tools/sandbox/src/demo/past-domain.ts';

// A day that is over, with orders as the ledger writer leaves them on it.

/** A Tuesday. No country has a holiday on it or on the day after. */
export const day = '2026-11-17';
export const runDay = '2026-11-18';

export interface SeededChannel {
  country: Country;
  merchantId: string;
  channelId: string;
  /** Paid orders, each with the channel's reference. */
  orders: { orderNo: string; reference: string; amount: string; kind: 'payin' | 'payout' }[];
  /** A payin that its channel did not report. */
  open: { orderNo: string; amount: string };
}

const countries = ['CN', 'TH', 'IN', 'PK'] as const;
const by = { actor: 'ann', approver: 'bob', reason: 'a day of the sandbox' };

/** `count` orders over a channel of its own for each country: payins, and where there are payouts every tenth one. */
export function seedDay(databaseUrl: string, keys: string, count: number): Promise<SeededChannel[]> {
  // Noon in India.
  return inThePast({ databaseUrl, keys, at: new Date(`${day}T06:30:00Z`) }, async (domain) => {
    const seeded: SeededChannel[] = [];
    for (const country of countries) seeded.push(await seedChannel(domain, country, count / countries.length));
    return seeded;
  });
}

async function seedChannel(domain: Domain, country: Country, count: number): Promise<SeededChannel> {
  const merchantId = `${country}-DAY`;
  const channelId = `day-${country.toLowerCase()}`;
  await setChannel(domain, { channelId, adapter: 'sandbox', baseUrl: 'http://127.0.0.1:9', credentials: {} });
  await createMerchant(domain, { merchantId, name: `Day ${country}`, country }, takeKeyPair());
  await addMerchantKey(domain, merchantId, takeKeyPair().publicKeyPem);
  await setFeeRule(domain, merchantId, { kind: 'payin', percent: '2.5', fixed: '0.00' });
  await setRoute(domain, merchantId, 1, { kind: 'payin', channelId });
  const hasPayouts = country === 'IN' || country === 'PK';
  if (hasPayouts) {
    await setFeeRule(domain, merchantId, { kind: 'payout', percent: '1.0', fixed: '5.00' });
    await setRoute(domain, merchantId, 2, { kind: 'payout', channelId });
    const topUp = {
      merchantId,
      entry: 'TOP_UP',
      amount: '1000000.00',
      bookingNo: 'OPENING',
      remark: 'opening',
    } as const;
    await bookWallet(domain, topUp, by);
  }
  const orders: SeededChannel['orders'] = [];
  const numbers = Array.from({ length: count - 1 }, (_, nth) => nth);
  const place = async (nth: number): Promise<void> => {
    const kind = hasPayouts && nth % 10 === 9 ? 'payout' : 'payin';
    const amount = `${50 + (nth % 900)}.${String(nth % 100).padStart(2, '0')}`;
    const changes = { channelId, amount, notifyUrl: null };
    const command =
      kind === 'payin' ? aCreate(merchantId, country, changes) : aPayout(merchantId, country as 'IN' | 'PK', changes);
    const { orderNo } = command.order;
    const reference = `${channelId}-${nth}`;
    const answer = { outcome: 'paid', payments: [{ reference, amount }] } as const;
    const ref = { merchantId, orderNo };
    for (const one of [command, { type: 'applyReport', ref, channelId, answer, during: 'query' } as const]) {
      const done = await domain.commit(one);
      if (!done.ok) throw new Error(`${one.type}: ${done.rejection}`);
    }
    orders.push({ orderNo, reference, amount, kind });
  };
  for (let from = 0; from < numbers.length; from += 250) await Promise.all(numbers.slice(from, from + 250).map(place));
  const open = { ...aCreate(merchantId, country, { channelId, amount: '77.77', notifyUrl: null }) };
  const later = { submitAfter: 365 * 86_400_000, expiresIn: 366 * 86_400_000 };
  const placed = await domain.commit({ ...open, ...later });
  if (!placed.ok) throw new Error(placed.rejection);
  orders.sort((a, b) => (a.reference < b.reference ? -1 : 1));
  return { country, merchantId, channelId, orders, open: { orderNo: open.order.orderNo, amount: '77.77' } };
}
