import { bookEntry, caseBookingNo } from './book-wallet.ts';
import { isPlatformTenant } from './country.ts';
import { creditOrder, creditPayout, creditUnknownPayout, creditWallet } from './credit-case.ts';
import type { Deciders } from './decider.ts';
import { channelAccount, writtenOffAccount } from './ledger.ts';
import { isAlone } from './operator.ts';
import type { DecideCase, EndOutgoingCase } from './operator-commands.ts';
import { isTerminal } from './order.ts';
import { isOfPayout, isOutgoing, isWithoutMoney, leftOfCase, type MoneyCase } from './payment.ts';
import { requestRefund } from './refund-decisions.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';
import { bookUnmatched } from './unmatched.ts';

/** Money that no order explains: it is booked with a case, and people decide the case (decisions 5.5). */
export const caseDeciders: Deciders<'bookUnmatched' | DecideCase['type'] | EndOutgoingCase['type']> = {
  bookUnmatched,
  creditCase: decideCase,
  returnCase: decideCase,
  chargeCase: endOutgoingCase,
  writeOffCase: endOutgoingCase,
};

/** Decides open cases: credits their money together, or returns the money of one. */
function decideCase(story: Story, command: DecideCase): Story | Rejection {
  const { caseNo, alsoCaseNos = [], merchantId } = command;
  const named = [caseNo, ...alsoCaseNos].map((no) =>
    story.state.cases.find((one) => one.caseNo === no && one.merchantId === merchantId),
  );
  const found = named.filter((one) => one !== undefined);
  const [first] = found;
  if (!first || found.length < named.length) return 'case_not_found';
  if (found.some(({ state }) => state !== 'open')) return 'case_closed';
  if (found.some(({ refundNo }) => refundNo !== null)) return 'refund_under_way';
  if (command.refundNo !== undefined) return requestRefund(story, first, command.refundNo);
  if (command.type === 'returnCase')
    return settledContradiction(giveBack(story, first), first).closeCase(first, 'returned');
  const credited = credit(story, found, command);
  if (typeof credited === 'string') return credited;
  return found.reduce((closed, one) => closed.closeCase(one, 'credited'), credited);
}

function credit(story: Story, found: readonly MoneyCase[], command: DecideCase): Story | Rejection {
  const { order, otherWallet, wallet } = story.state;
  if (new Set(found).size < found.length) return 'case_not_creditable';
  if (found.some(({ kind }) => isOutgoing(kind) || isWithoutMoney(kind))) return 'case_not_creditable';
  // A merchant's money never goes to another merchant. Money without an owner belongs to the platform tenant of the
  // country.
  const isPlatforms = isPlatformTenant(wallet.merchantId);
  if (isPlatforms && !otherWallet && !order) return creditUnknownPayout(story, found, command);
  if (isPlatforms !== (otherWallet !== null) || (otherWallet && otherWallet.currency !== wallet.currency))
    return 'case_not_creditable';
  // What the bank returned goes back to its payout first, also if a wallet is named: nobody gets it twice.
  const isReturned = found.every(isOfPayout) && order?.kind === 'payout' && otherWallet === null;
  if (command.toWallet && !isReturned) return creditWallet(story, found, command);
  if (!order) return 'case_not_creditable';
  return order.kind === 'payin' ? creditOrder(story, found, command) : creditPayout(story, found, command);
}

/** The next answer that contradicts the order opens a case again. */
function settledContradiction(story: Story, { kind, orderNo }: MoneyCase): Story {
  const isOfOrder = kind === 'contradiction' && story.state.order?.orderNo === orderNo;
  return isOfOrder ? story.changeOrder({ contradiction: null }) : story;
}

function giveBack(story: Story, found: MoneyCase): Story {
  const { merchantId, orderNo, kind, channelId } = found;
  if (isWithoutMoney(kind)) return story;
  const money = { merchantId, orderNo, amount: leftOfCase(found) };
  const channel = channelAccount(channelId);
  // Money that went out by mistake comes back from the channel; all other money is returned to it.
  return isOutgoing(kind)
    ? story.post({ ...money, debit: channel, credit: 'suspense', cause: 'suspense_in' })
    : story.post({ ...money, debit: 'suspense', credit: channel, cause: 'suspense_out' });
}

/**
 * Ends a case about money that left and does not come back, by two operators: its merchant pays it, or the platform
 * bears it. Only once its payout has ended: until then what left may still settle it.
 */
function endOutgoingCase(story: Story, command: EndOutgoingCase): Story | Rejection {
  const { merchantId, caseNo, type, by } = command;
  const found = story.state.cases.find((one) => one.caseNo === caseNo && one.merchantId === merchantId);
  if (!found) return 'case_not_found';
  if (found.state !== 'open') return 'case_closed';
  if (!isOutgoing(found.kind) || !isOfEnded(story, found)) return 'case_not_chargeable';
  const ended = type === 'chargeCase' ? charge(story, found) : writeOff(story, found);
  if (typeof ended === 'string') return ended;
  // Checked last, so that no operator is asked to approve what is impossible.
  if (isAlone(by)) return 'second_operator_needed';
  return ended.closeCase(found, type === 'chargeCase' ? 'charged' : 'written_off');
}

/** Whether the payout of the case has ended. Money of an unknown payout has none that could. */
function isOfEnded({ state: { order } }: Story, found: MoneyCase): boolean {
  if (found.orderNo === null) return true;
  return order?.orderNo === found.orderNo && isTerminal(order.status);
}

function charge(story: Story, found: MoneyCase): Story | Rejection {
  const { merchantId, caseNo, orderNo } = found;
  // What left for an unknown payout is of no merchant.
  if (merchantId.startsWith('PLATFORM-')) return 'case_not_chargeable';
  const amount = leftOfCase(found).negated();
  const booking = { merchantId, entry: 'ADJUSTMENT', bookingNo: caseBookingNo(found), corrects: orderNo } as const;
  const charged = bookEntry(story, { ...booking, remark: `case ${caseNo}`, counter: 'suspense' }, amount);
  return charged ?? 'balance_insufficient';
}

function writeOff(story: Story, found: MoneyCase): Story {
  const { merchantId, orderNo, channelId } = found;
  const debit = writtenOffAccount(channelId);
  return story.post({
    merchantId,
    orderNo,
    debit,
    credit: 'suspense',
    amount: leftOfCase(found),
    cause: 'reconciliation',
  });
}
