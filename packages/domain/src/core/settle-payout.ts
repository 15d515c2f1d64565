import { type Account, channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { failureReasonOf } from './notification.ts';
import type { Order } from './order.ts';
import { isOutgoing, leftOfCase, type MoneyCase } from './payment.ts';
import { openCasesOf, type State } from './state.ts';
import type { Cause, Story } from './story.ts';
import type { Trigger } from './transitions.ts';
import { type EntryInput, entryOfOrder } from './wallet.ts';

/** What is known to have left for a payout that is not settled, and did not come back: its open cases of outgoing money. */
export function moneyThatLeft(state: State, order: Order): Money {
  const borne = openCasesOf(state, order).filter(({ kind }) => isOutgoing(kind));
  return borne.reduce((sum, found) => sum.plus(leftOfCase(found)), Money.zero(order.currency));
}

export function hasMoneyLeft({ order, state }: Story): boolean {
  return !moneyThatLeft(state, order).isZero();
}

/**
 * Releases the frozen money, and ends the payout by `trigger`; null if its transition table has no such row, or if money
 * is known to have left: then only two operators may release (decisions 5.4), who bear what left.
 */
export function releasePayout(
  story: Story,
  trigger: Trigger,
  cause: Cause,
  bearing?: 'bearing what left',
): Story | null {
  const { order } = story;
  if (!bearing && hasMoneyLeft(story)) return null;
  const { merchantId, orderNo } = order;
  const net = Money.of(order.netAmount, order.currency);
  const release = { type: 'PAYOUT_RELEASE', availableChange: net, frozenChange: net.negated() } as const;
  const ended = story.changeOrder({ failureReason: failureReasonOf(trigger) }).move(trigger, cause);
  if (!ended) return null;
  const entered = enterFrozen(ended, entryOfOrder(order, release));
  return entered.post({
    merchantId,
    orderNo,
    debit: 'frozen',
    credit: 'available',
    amount: net,
    cause: 'payout_release',
  });
}

/**
 * Pays the frozen money out: the amount to the channel, the fee to the platform. Null if the transition table has no
 * such row.
 */
export function settlePayout(story: Story, trigger: 'paid' | 'proof_accepted', cause: Cause): Story | null {
  return charge(story, trigger, channelAccount(story.order.channelId), cause);
}

/**
 * Settles a payout that operators saw to be paid. The frozen money covers what its channel reported in another amount,
 * and the rest of that becomes a case. If there is no such report, the evidence replaces the payment until the channel
 * reports it.
 */
export function settleByEvidence(story: Story, cause: Cause): Story | null {
  const { merchantId, orderNo, channelId, amount } = story.order;
  const borne = openCasesOf(story.state, story.order).filter(({ kind }) => isOutgoing(kind));
  if (borne.length === 0) {
    const about = { merchantId, orderNo, channelId };
    const evidence = { ...about, direction: 'out', amount, reference: null, use: 'evidence' } as const;
    return settlePayout(story, 'paid', cause)?.recordPayment(evidence) ?? null;
  }
  return settleFromCases(story, 'paid', cause, borne);
}

/**
 * Settles a payout whose payment is in suspense already, with the cases about it. The frozen money covers them, and the rest of either becomes a case.
 * Null if the transition table has no such row.
 */
export function settleFromCases(
  story: Story,
  trigger: 'paid' | 'proof_accepted',
  cause: Cause,
  borne: readonly MoneyCase[],
): Story | null {
  const { merchantId, orderNo, channelId, currency, amount } = story.order;
  const charged = charge(story, trigger, 'suspense', cause);
  if (!charged) return null;
  const covered = borne.reduce(coverCase, { story: charged, left: Money.of(amount, currency) });
  const { left } = covered;
  if (left.isZero()) return covered.story;
  const detail = `operators saw ${amount} paid, the channel reported ${left} less`;
  const about = { merchantId, orderNo, channelId, reference: null, amount: left, detail };
  return covered.story.openCase({ kind: 'payout_underpaid', ...about });
}

/** Covers a case of outgoing money with the rest of the frozen amount. What is not covered becomes a new case. */
function coverCase({ story, left }: { story: Story; left: Money }, found: MoneyCase): { story: Story; left: Money } {
  const { merchantId, orderNo, currency } = story.order;
  const amount = leftOfCase(found);
  const closed = story.closeCase(found, 'credited');
  if (!left.isLessThan(amount)) return { story: closed, left: left.minus(amount) };
  const { channelId, reference } = found;
  const detail = `left of case ${found.caseNo}: ${amount} was paid`;
  const rest = { merchantId, orderNo, channelId, reference, amount: amount.minus(left), detail };
  return { story: closed.openCase({ kind: 'payout_paid_again', ...rest }), left: Money.zero(currency) };
}

/** Takes the frozen money: the amount goes to `account`, the fee to the platform. */
function charge(story: Story, trigger: 'paid' | 'proof_accepted', account: Account, cause: Cause): Story | null {
  const moved = story.move(trigger, cause);
  if (!moved) return null;
  const { order } = moved;
  const { merchantId, orderNo, currency } = order;
  const frozenChange = Money.of(order.netAmount, currency).negated();
  const amount = Money.of(order.amount, currency);
  const fee = Money.of(order.feeAmount, currency);
  return enterFrozen(
    moved.changeOrder({ paidAmount: order.amount }),
    entryOfOrder(order, { type: 'PAYOUT', frozenChange }),
  )
    .post({ merchantId, orderNo, debit: 'frozen', credit: account, amount, cause: 'payout_settle' })
    .post({ merchantId, orderNo, debit: 'frozen', credit: 'fee_revenue', amount: fee, cause: 'payout_fee' });
}

function enterFrozen(story: Story, input: EntryInput): Story {
  const entered = story.enter(input);
  if (!entered) throw new Error(`the wallet holds less frozen than ${input.orderNo} froze`);
  return entered;
}
