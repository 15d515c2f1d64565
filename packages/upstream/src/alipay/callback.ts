import type { CallbackResult, ExaminedStep } from '@tidegate/domain/channels';
import type * as z from 'zod';
import { isPositive, readYuan } from './amounts.ts';
import { readBeijingTime } from './gateway.ts';
import { answerOfTrade } from './mapping.ts';
import type { AlipayAccount } from './settings.ts';
import { isUnambiguous, readForm, verifyNotification } from './signing.ts';
import { isInYuan, wireNotification } from './wire.ts';

/** Alipay’s notifications are far shorter. A form is parsed before its signature is checked. */
const maxBytes = 16 * 1024;

/** Alipay repeats a notification for 25 hours. An older one is a replay. */
const maxAgeMs = 26 * 3_600_000;

/** Alipay’s clock may be ahead of ours. */
const greatestAheadMs = 3_600_000;

/** Alipay repeats the notification until it gets exactly this reply. */
const reply = { contentType: 'text/plain; charset=utf-8', body: 'success' };

type Refused = Extract<CallbackResult, { type: 'refused' }>;

/** Verifies and reads a notification, and returns each step. Pure. */
export function examineNotification(
  account: AlipayAccount,
  body: Uint8Array,
  now: number,
): { steps: ExaminedStep[]; result: CallbackResult } {
  const steps: ExaminedStep[] = [];
  const check = (step: string, isOk: boolean, detail: string) => {
    steps.push({ step, isOk, detail });
    return isOk;
  };
  const end = (why: Refused['why'], detail: string) => ({ steps, result: { type: 'refused', why, detail } as const });

  if (!check('size', body.length <= maxBytes, `${body.length} bytes, at most ${maxBytes}`)) {
    return end('malformed', 'too long');
  }
  const form = readForm(body);
  if (!check('form', form !== null, form ? `${form.size} fields` : 'not a form, or a field twice') || !form) {
    return end('unauthentic', 'not a form');
  }
  const isVerified = verifyNotification(
    form,
    account.trusted.map(({ key }) => key),
  );
  const signing = `sign_type ${printable(form.get('sign_type'))}, ${account.trusted.length} trusted key(s)`;
  if (!check('signature', isVerified, signing))
    return end('unauthentic', 'the signature does not verify: another key, or the fields were changed');
  if (!check('application', form.get('app_id') === account.appId, `app_id ${printable(form.get('app_id'))}`)) {
    return end('unauthentic', 'of another application');
  }
  const seller = form.get('seller_id');
  if (!check('seller', seller === undefined || seller === account.sellerId, `seller_id ${printable(seller)}`)) {
    return end('unauthentic', 'of another seller');
  }
  const age = now - readBeijingTime(form.get('notify_time') ?? '');
  const sentAt = `notify_time ${printable(form.get('notify_time'))}, in China`;
  if (!check('time', age <= maxAgeMs && age >= -greatestAheadMs, sentAt)) return end('unauthentic', 'not sent now');
  const result = readNotification(form, seller !== undefined);
  check('content', result.type !== 'refused', describeResult(result));
  return { steps, result };
}

function readNotification(form: ReadonlyMap<string, string>, hasSeller: boolean): CallbackResult {
  const kind = 'payin';
  if (form.get('notify_type') !== 'trade_status_sync') {
    return { type: 'nothing', detail: `notify_type ${printable(form.get('notify_type'))}`, reply };
  }
  const parsed = wireNotification.safeParse(Object.fromEntries(form));
  if (!parsed.success) return { type: 'refused', why: 'malformed', detail: 'fields of a trade are missing' };
  const { out_trade_no: orderNo, trade_no: tradeNo, trade_status: status, ...rest } = parsed.data;
  const refunded = readYuan(rest.refund_fee ?? '0');
  const wasPaid = rest.gmt_payment !== undefined || (refunded !== null && isPositive(refunded));
  const query = { type: 'query', kind, orderNo, reply } as const;
  if (!isUnambiguous(form)) return query;
  // A refund that the service made. The payment of the order is already known.
  if (status === 'TRADE_CLOSED' && wasPaid) return { type: 'nothing', detail: 'refunded in full', reply };
  const amounts = { totalAmount: rest.total_amount, receiptAmount: rest.receipt_amount };
  const answer = answerOfTrade({ orderNo, tradeNo, status, wasPaid, ...amounts });
  if (answer === null || answer.outcome === 'unknown' || !hasSeller) return query;
  const isProof = answer.outcome !== 'paid' || hasArrived(parsed.data);
  return isProof ? { type: 'report', kind, orderNo, currency: 'CNY', answer, reply } : query;
}

/**
 * Whether a notification of a payment proves that the seller has the money, in yuan. If the buyer pays later, it does
 * not.
 */
function hasArrived(paid: z.infer<typeof wireNotification>): boolean {
  const received = readYuan(paid.receipt_amount ?? '');
  const isLater = paid.additional_status !== undefined || paid.credit_pay_mode !== undefined;
  return received !== null && isPositive(received) && !isLater && isInYuan(paid);
}

function describeResult(result: CallbackResult): string {
  switch (result.type) {
    case 'report':
      return `order ${printable(result.orderNo)}: ${result.answer.outcome}`;
    case 'query':
      return `order ${printable(result.orderNo)}: does not prove its state, so Alipay is queried`;
    case 'nothing':
    case 'refused':
      return result.detail;
    default:
      return result satisfies never;
  }
}

/** A field of a notification as text for people: short, with harmless characters only. */
function printable(value: string | undefined): string {
  return value === undefined ? 'missing' : value.replace(/[^ -~]/g, '?').slice(0, 64);
}
