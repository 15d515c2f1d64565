import { type Country, currencyOf, type Domain, timeZoneOf } from '@tidegate/domain';
import {
  createMerchant,
  generateServiceKey,
  planOrder,
  setChannel,
  setFeeRule,
  setRoute,
  standingsOf,
} from '@tidegate/domain/admin';
import { waitUntil } from '../wait-until.ts';
import { type BankEntry, bankStatement } from './bank-statement.ts';
import { type ChannelDay, closeDay, importStatement, isMatched } from './channel-days.ts';
import type { Demo } from './demo-orders.ts';
import { inThePast } from './past-domain.ts';

/** A merchant to create, and its payins of the day. */
interface PastMerchant {
  merchantId: string;
  name: string;
  /** Amounts as decimal text, one for each payin. */
  amounts: readonly string[];
}

/** A year: no worker submits or expires a payin before its payment is recorded a moment later. */
const never = 365 * 86_400_000;

/**
 * Creates merchants with payins that were paid on a past day, through a new channel. Then imports the statement of that
 * day, and closes it by two operators. `keys` is the sandbox's key ring.
 */
export async function leaveClosedDay(
  demo: Demo,
  keys: string,
  { country, channelId, day }: ChannelDay,
  merchants: readonly PastMerchant[],
): Promise<void> {
  const noon = new Date(Date.parse(`${day}T12:00:00Z`) - offsetOf(country, day));
  const entries = await inThePast({ databaseUrl: demo.sandbox.databaseUrl, keys, at: noon }, async (domain) => {
    // The address is never used, because no order is submitted.
    await setChannel(domain, { channelId, adapter: 'sandbox', baseUrl: 'http://127.0.0.1:9', credentials: {} });
    const paid: BankEntry[] = [];
    for (const merchant of merchants) paid.push(...(await leavePayins(domain, { country, channelId, day }, merchant)));
    return paid;
  });
  const text = bankStatement({ account: channelId, currency: currencyOf[country], from: day, to: day, entries });
  await importStatement(demo, { country, channelId, name: `${channelId}-${day}.xml`, text });
  const ref = { country, channelId, day };
  await waitUntil(`the day of ${channelId}`, () => isMatched(demo, ref), { timeoutMs: 60_000, everyMs: 500 });
  let refusal: string | null = null;
  const isClosed = async () => {
    refusal = await closeDay(demo, ref);
    return refusal === null;
  };
  // A refusal is retried: the newest rows may not be compared with the ledger yet.
  await waitUntil(`the close of ${channelId}`, isClosed, {
    timeoutMs: 60_000,
    everyMs: 500,
    givenUp: () => (refusal?.includes('breaks') ? refusal : undefined),
  });
}

async function leavePayins(
  domain: Domain,
  { country, channelId, day }: ChannelDay,
  { merchantId, name, amounts }: PastMerchant,
): Promise<BankEntry[]> {
  await createMerchant(domain, { merchantId, name, country }, await generateServiceKey());
  await setFeeRule(domain, merchantId, { kind: 'payin', percent: '2.5', fixed: '0.00' });
  await setRoute(domain, merchantId, 1, { kind: 'payin', channelId });
  const profile = await domain.directory.merchant(merchantId);
  if (!profile) throw new Error(`${merchantId} is not known`);
  const routing = await domain.channelRouting.view();
  const standings = await standingsOf(domain, profile);
  const entries: BankEntry[] = [];
  for (const [nth, amount] of amounts.entries()) {
    const merchantOrderNo = `${merchantId}-${nth + 1}`;
    const request = { merchantOrderNo, amount, bankCode: null, notifyUrl: null, details: {} };
    const planned = planOrder('payin', profile, request, routing, standings);
    if (!planned.ok) throw new Error(`${merchantOrderNo}: ${planned.rejection}`);
    const { order } = planned.value;
    const reference = `${channelId}-${merchantOrderNo}`;
    const answer = { outcome: 'paid', payments: [{ reference, amount }] } as const;
    const ref = { merchantId, orderNo: order.orderNo };
    for (const command of [
      { type: 'createPayin', order, submitAfter: never, expiresIn: never },
      { type: 'applyReport', ref, channelId, answer, during: 'query' },
    ] as const) {
      const done = await domain.commit(command);
      if (!done.ok) throw new Error(`${merchantOrderNo}: ${done.rejection}`);
    }
    entries.push({ day, amount, orderNo: order.orderNo, reference });
  }
  return entries;
}

/** A country's offset from UTC on a day, in milliseconds. */
function offsetOf(country: Country, day: string): number {
  const at = new Date(`${day}T12:00:00Z`);
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timeZoneOf[country],
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return Date.parse(`${local.format(at).replace(' ', 'T')}Z`) - at.getTime();
}
