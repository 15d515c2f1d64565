import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import type { HttpResult } from '../provider/http-client.ts';
import { type WireErrorCode, type WireOrder, wireError, wireOrder } from './wire.ts';

/** Converts the sandbox upstream's order to the channel port's answer. */
export function answerOf(order: WireOrder): ChannelAnswer {
  const channelRef = order.upstreamId;
  switch (order.status) {
    case 'pending':
      return { outcome: 'accepted', channelRef, ...waysToPay(order) };
    case 'part_paid':
      return { outcome: 'part_paid', channelRef, payments: order.payments, ...waysToPay(order) };
    case 'paid':
      return { outcome: 'paid', channelRef, payments: order.payments };
    case 'failed':
      return { outcome: 'failed', channelRef, reason: order.reason };
    case 'timed_out':
      return { outcome: 'timed_out', channelRef, reason: order.reason, payments: order.payments };
    case 'closed':
      return { outcome: 'closed', channelRef };
    case 'returned': {
      const { payments, returned, reason } = order;
      return { outcome: 'returned', channelRef, payments, returned, reason };
    }
    default:
      return order satisfies never;
  }
}

function waysToPay({ payLink, qr }: { payLink?: string; qr?: string }): { payLink?: string; payQr?: string } {
  return { ...(payLink === undefined ? {} : { payLink }), ...(qr === undefined ? {} : { payQr: qr }) };
}

/**
 * Errors that prove that this upstream does not have the order and never will. All other errors leave it open. An
 * `order_conflict` does too: an order of that number exists and may be paid.
 */
const REFUSALS: ReadonlySet<WireErrorCode> = new Set(['order_refused', 'invalid_order']);

/** Reads the reply to a create. */
export function answerToCreate(result: HttpResult, order: ChannelOrderRef): ChannelAnswer {
  return readAnswer(result, order, (code, reason) => (REFUSALS.has(code) ? { outcome: 'refused', reason } : null));
}

/** Reads the reply to a query or a cancel. */
export function answerAbout(result: HttpResult, order: ChannelOrderRef): ChannelAnswer {
  return readAnswer(result, order, (code, detail) =>
    code === 'order_unknown' ? { outcome: 'unknown', why: 'not_found', detail } : null,
  );
}

/** `ofError` returns the meaning of an upstream error; null: nothing is known. */
function readAnswer(
  result: HttpResult,
  order: ChannelOrderRef,
  ofError: (code: WireErrorCode, message: string) => ChannelAnswer | null,
): ChannelAnswer {
  const reply = readReply(result, order);
  switch (reply.kind) {
    case 'order':
      return answerOf(reply.order);
    case 'error':
      return ofError(reply.code, reply.message) ?? noAnswer(`upstream error ${reply.code}`);
    case 'none':
      return noAnswer(reply.detail);
    case 'forbidden':
      return { ...noAnswer(reply.detail), isForbidden: true };
    default:
      return reply satisfies never;
  }
}

type Reply =
  | { kind: 'order'; order: WireOrder }
  | { kind: 'error'; code: WireErrorCode; message: string }
  | { kind: 'none' | 'forbidden'; detail: string };

function readReply(result: HttpResult, order: ChannelOrderRef): Reply {
  switch (result.kind) {
    case 'json':
      return result.status === 200 ? readOrder(result.json, order) : readError(result);
    case 'server_error':
      return { kind: 'none', detail: `HTTP ${result.status}` };
    case 'forbidden':
      return { kind: 'forbidden', detail: result.detail };
    case 'unreadable':
    case 'broken':
    case 'aborted':
      return { kind: 'none', detail: `${result.kind}: ${result.detail}` };
    default:
      return result satisfies never;
  }
}

function readOrder(json: unknown, asked: ChannelOrderRef): Reply {
  const parsed = wireOrder.safeParse(json);
  if (!parsed.success) return { kind: 'none', detail: 'reply is not an order' };
  const order = parsed.data;
  if (order.orderNo !== asked.orderNo || order.kind !== asked.kind) {
    return { kind: 'none', detail: 'reply is about another order' };
  }
  if (order.currency !== asked.currency) return { kind: 'none', detail: 'reply is in another currency' };
  return { kind: 'order', order };
}

function readError(result: { status: number; json: unknown }): Reply {
  const parsed = wireError.safeParse(result.json);
  if (!parsed.success || result.status < 400) return { kind: 'none', detail: `unexpected HTTP ${result.status}` };
  return { kind: 'error', ...parsed.data };
}

function noAnswer(detail: string): Extract<ChannelAnswer, { outcome: 'unknown' }> {
  return { outcome: 'unknown', why: 'no_answer', detail };
}
