import type { CallbackResult, Channel, ChannelOrder, ChannelOrderRef, ChannelRefund } from '../channels/channel.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { EndedWatch } from '../core/ended-watch.ts';
import type { RefundAnswer } from '../core/refund-answer.ts';

type Operation = 'create' | 'query' | 'cancel';
type RefundOperation = 'refund' | 'queryRefund';

/** A channel whose answers a test sets: one per operation, or a function of the order. It records its calls. */
export class FakeChannel implements Channel {
  readonly calls: { operation: Operation; orderNo: string }[] = [];
  /** The orders of its creates. */
  readonly created: ChannelOrder[] = [];
  /** What its adapter declares. */
  watchesEnded: readonly EndedWatch[] = [];
  creates?: NonNullable<Channel['creates']>;
  qrImage?: NonNullable<Channel['qrImage']>;
  /** What its adapter offers. */
  offersRefunds = true;
  /** Set both, and statements can be fetched from it. */
  statementFormats?: readonly string[];
  fetchStatement?: NonNullable<Channel['fetchStatement']>;
  answers: Record<Operation, ChannelAnswer | ((orderNo: string) => ChannelAnswer | Promise<ChannelAnswer>)> = {
    create: { outcome: 'accepted', channelRef: 'ref-1' },
    query: { outcome: 'accepted', channelRef: 'ref-1' },
    cancel: { outcome: 'closed' },
  };

  create(order: ChannelOrder): Promise<ChannelAnswer> {
    this.created.push(order);
    return this.#answer('create', order.orderNo);
  }

  query(order: ChannelOrderRef): Promise<ChannelAnswer> {
    return this.#answer('query', order.orderNo);
  }

  cancel(order: ChannelOrderRef): Promise<ChannelAnswer> {
    return this.#answer('cancel', order.orderNo);
  }

  /** Refunds that it was called about, and how it answers. */
  readonly refunds: { operation: RefundOperation; refund: ChannelRefund }[] = [];
  refundAnswers: Record<
    RefundOperation,
    RefundAnswer | ((refund: ChannelRefund) => RefundAnswer | Promise<RefundAnswer>)
  > = {
    refund: { outcome: 'refunded', refundRef: 'refund-ref-1' },
    queryRefund: { outcome: 'unknown', why: 'not_found', detail: 'no such refund' },
  };

  refund(refund: ChannelRefund): Promise<RefundAnswer> {
    return this.#answerRefund('refund', refund);
  }

  queryRefund(refund: ChannelRefund): Promise<RefundAnswer> {
    return this.#answerRefund('queryRefund', refund);
  }

  /** A callback's body is the JSON of a report's `{ orderNo, kind, currency, answer }` or of another result; anything else is malformed. */
  parseCallback(_headers: unknown, body: Uint8Array): CallbackResult {
    try {
      return { type: 'report', ...JSON.parse(Buffer.from(body).toString('utf8')) };
    } catch {
      return { type: 'refused', why: 'malformed', detail: 'not JSON' };
    }
  }

  async #answerRefund(operation: RefundOperation, refund: ChannelRefund): Promise<RefundAnswer> {
    this.refunds.push({ operation, refund });
    const answer = this.refundAnswers[operation];
    return typeof answer === 'function' ? answer(refund) : answer;
  }

  async #answer(operation: Operation, orderNo: string): Promise<ChannelAnswer> {
    this.calls.push({ operation, orderNo });
    const answer = this.answers[operation];
    return typeof answer === 'function' ? answer(orderNo) : answer;
  }
}
