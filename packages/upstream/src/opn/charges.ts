import type { ChannelOrderRef } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { exchange, noAnswer, type OpnReply, unknownOf } from './exchange.ts';
import type { OpnAccount } from './settings.ts';
import { chargeMetadata, type WireCharge, wireCharge, wireSearch } from './wire.ts';

export type Unknown = ReturnType<typeof noAnswer>;

/** `isBroken`: no reply came, so it is useful to ask again. */
type Failed = { kind: 'failed'; answer: Unknown; isBroken: boolean };

/** Most charges that one search returns. An order has one, rarely two. The reply has to fit into 64 kB. */
const perPage = 10;

/** The charges of an order, by a search for its number. */
export async function searchCharges(
  account: OpnAccount,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<{ kind: 'charges'; charges: WireCharge[] } | Failed> {
  const query = new URLSearchParams({ scope: 'charge', query: order.orderNo, per_page: String(perPage) });
  const reply = await exchange(account, { method: 'GET', path: `/search?${query}` }, signal);
  if (reply.kind !== 'object') return failed(reply);
  const read = wireSearch.safeParse(reply.json);
  if (!read.success) return unreadable('not the result of a search');
  if (read.data.query !== order.orderNo) return unreadable('the result of another search');
  const charges = read.data.data.filter((charge) => isAbout(account, charge, order.orderNo));
  if (charges.length === 0 && read.data.total_pages > 1) return unreadable('the search found too much');
  const problem = charges.map((charge) => problemOf(account, charge, order)).find((one) => one !== null);
  return problem === undefined ? { kind: 'charges', charges } : unreadable(problem);
}

/** The charge with an id, which must be about this order. */
export async function readCharge(
  account: OpnAccount,
  order: ChannelOrderRef,
  chargeId: string,
  signal: AbortSignal,
): Promise<{ kind: 'charge'; charge: WireCharge } | Failed> {
  return chargeIn(account, order, await exchange(account, { method: 'GET', path: chargePath(chargeId) }, signal));
}

/** Ends an open charge. The answer is the charge as it is then, which may be paid. */
export async function expireCharge(
  account: OpnAccount,
  order: ChannelOrderRef,
  chargeId: string,
  signal: AbortSignal,
): Promise<{ kind: 'charge'; charge: WireCharge } | Failed> {
  await account.memory.remember(closingKey(chargeId), 'yes', 'order');
  const reply = await exchange(account, { method: 'POST', path: `${chargePath(chargeId)}/expire`, body: {} }, signal);
  // The charge is no longer open: it was paid, failed or expired meanwhile.
  if (reply.kind === 'error') return readCharge(account, order, chargeId, signal);
  return chargeIn(account, order, reply);
}

/** Whether this charge expired because we asked Opn to expire it. */
export async function isClosed(account: OpnAccount, { id, status }: WireCharge): Promise<boolean> {
  return status === 'expired' && (await account.memory.read(closingKey(id))) !== null;
}

/** The charge in a reply, checked against what we asked. */
export function chargeIn(
  account: OpnAccount,
  order: ChannelOrderRef,
  reply: OpnReply,
): { kind: 'charge'; charge: WireCharge } | Failed {
  if (reply.kind !== 'object') return failed(reply);
  const read = wireCharge.safeParse(reply.json);
  if (!read.success) return unreadable('not a charge');
  if (!isAbout(account, read.data, order.orderNo)) return unreadable('a charge of another order');
  const problem = problemOf(account, read.data, order);
  return problem === null ? { kind: 'charge', charge: read.data } : unreadable(problem);
}

export const chargePath = (chargeId: string): string => `/charges/${encodeURIComponent(chargeId)}`;
const closingKey = (chargeId: string): string => `closing:${chargeId}`;

function isAbout(account: OpnAccount, charge: WireCharge, orderNo: string): boolean {
  const ours = chargeMetadata(account.channelId, orderNo);
  return Object.entries(ours).every(([key, value]) => charge.metadata?.[key] === value);
}

function problemOf({ isLive }: OpnAccount, charge: WireCharge, { amount, currency }: ChannelOrderRef): string | null {
  if (charge.livemode !== isLive) return 'a charge of the other mode';
  if (charge.currency !== currency) return 'a charge in another currency';
  return charge.amount === toMinorUnits(amount) ? null : 'a charge of another amount';
}

function failed(reply: Exclude<OpnReply, { kind: 'object' }>): Failed {
  return { kind: 'failed', answer: unknownOf(reply), isBroken: reply.kind === 'no_reply' && reply.isBroken };
}

function unreadable(detail: string): Failed {
  return { kind: 'failed', answer: noAnswer(`unreadable: ${detail}`), isBroken: false };
}
