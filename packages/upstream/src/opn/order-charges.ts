import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { expireCharge, isClosed, readCharge, searchCharges, type Unknown } from './charges.ts';
import { answerOf, isOpen, isPaid, paymentOf } from './mapping.ts';
import type { OpnAccount } from './settings.ts';
import { isChargeId, type WireCharge } from './wire.ts';

/** The charge that the payer sees, and others that lost answers left behind. */
export interface OrderCharges {
  kind: 'charges';
  main: WireCharge;
  doubles: WireCharge[];
}

export type OrderReading = OrderCharges | { kind: 'none' } | { kind: 'failed'; answer: Unknown; isBroken: boolean };

/**
 * Reads the charges of an order: by the id if it is known, else by a search. All processes agree on the main charge:
 * the one in the order, else the one that was stored first.
 */
export async function readOrder(
  account: OpnAccount,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<OrderReading> {
  const known = await knownChargeId(account, order);
  if (known !== null && !(await hasDoubt(account, order.orderNo))) return readMain(account, order, known, [], signal);
  const found = await searchCharges(account, order, signal);
  if (found.kind === 'failed') return found;
  const [oldest] = found.charges.toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? ''));
  if (oldest === undefined) {
    // Without an id there is no charge. With an id, the search does not find the charge yet.
    return known === null ? { kind: 'none' } : readMain(account, order, known, [], signal);
  }
  const mainId = known ?? (await rememberCharge(account, order.orderNo, oldest.id));
  const doubles = found.charges.filter(({ id }) => id !== mainId);
  const main = found.charges.find(({ id }) => id === mainId);
  return main ? { kind: 'charges', main, doubles } : readMain(account, order, mainId, doubles, signal);
}

/** Stores the main charge of an order. Returns the charge that was stored first. */
export async function rememberCharge(account: OpnAccount, orderNo: string, chargeId: string): Promise<string> {
  return account.memory.remember(chargeKey(orderNo), chargeId, 'order');
}

/**
 * From now on the duplicates of this order are searched, because a create is sent although an earlier one is
 * unanswered.
 */
export async function rememberDoubt(account: OpnAccount, orderNo: string): Promise<void> {
  await account.memory.remember(doubtKey(orderNo), 'yes', 'order');
}

/**
 * Converts the charges of an order to one answer. Expires the duplicates, whose QR codes no payer has seen. If a
 * duplicate was paid, it counts as a payment of the order, and the main charge is expired.
 */
export async function answerOfOrder(
  account: OpnAccount,
  order: ChannelOrderRef,
  { main, doubles }: OrderCharges,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  if (doubles.length === 0) return answerOf(main, await isClosed(account, main));
  const end = async (charge: WireCharge): Promise<WireCharge> => {
    if (!isOpen(charge)) return charge;
    const ended = await expireCharge(account, order, charge.id, signal);
    return ended.kind === 'charge' ? ended.charge : charge;
  };
  const ended = await Promise.all(doubles.map(end));
  const isDoublePaid = ended.some(isPaid);
  const charges = [isDoublePaid ? await end(main) : main, ...ended];
  const payments = charges.filter(isPaid).map(paymentOf);
  if (payments.length > 0) return { outcome: 'paid', channelRef: main.id, payments };
  return answerOf(main, await isClosed(account, main));
}

async function readMain(
  account: OpnAccount,
  order: ChannelOrderRef,
  chargeId: string,
  doubles: WireCharge[],
  signal: AbortSignal,
): Promise<OrderReading> {
  const read = await readCharge(account, order, chargeId, signal);
  return read.kind === 'charge' ? { kind: 'charges', main: read.charge, doubles } : read;
}

async function knownChargeId(account: OpnAccount, { orderNo, channelRef }: ChannelOrderRef): Promise<string | null> {
  if (channelRef !== undefined && isChargeId(channelRef)) return channelRef;
  const stored = await account.memory.read(chargeKey(orderNo));
  return stored !== null && isChargeId(stored) ? stored : null;
}

async function hasDoubt(account: OpnAccount, orderNo: string): Promise<boolean> {
  return (await account.memory.read(doubtKey(orderNo))) !== null;
}

const chargeKey = (orderNo: string): string => `charge:${orderNo}`;
const doubtKey = (orderNo: string): string => `doubt:${orderNo}`;
