import { creditOrder, creditPayout, creditWallet } from './credit-case.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import type { DecideCase } from './operator-commands.ts';
import { isOutgoing, isWithoutMoney, type MoneyCase } from './payment.ts';
import { requestRefund } from './refund-decisions.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';

/** Decides open cases: credits their money together, or returns the money of one (decisions 5.5). */
export function decideCase(story: Story, command: DecideCase): Story | Rejection {
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
  if (command.type === 'returnCase') return giveBack(story, first).closeCase(first, 'returned');
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
  const isPlatforms = wallet.merchantId.startsWith('PLATFORM-');
  if (isPlatforms !== (otherWallet !== null) || (otherWallet && otherWallet.currency !== wallet.currency))
    return 'case_not_creditable';
  if (command.toWallet) return creditWallet(story, found, command);
  if (!order) return 'case_not_creditable';
  return order.kind === 'payin' ? creditOrder(story, found, command) : creditPayout(story, found);
}

function giveBack(story: Story, found: MoneyCase): Story {
  const { merchantId, orderNo, kind, channelId } = found;
  if (isWithoutMoney(kind)) return story;
  const money = { merchantId, orderNo, amount: Money.of(found.amount, story.state.wallet.currency) };
  const channel = channelAccount(channelId);
  // Money that went out by mistake comes back from the channel; all other money is returned to it.
  return isOutgoing(kind)
    ? story.post({ ...money, debit: channel, credit: 'suspense', cause: 'suspense_in' })
    : story.post({ ...money, debit: 'suspense', credit: channel, cause: 'suspense_out' });
}
