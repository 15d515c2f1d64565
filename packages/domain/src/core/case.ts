import { creditOrder, creditPayout, creditWallet } from './credit-case.ts';
import { type Circumstances, type Draft, post } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import type { DecideCase } from './operator-commands.ts';
import { isOutgoing, type MoneyCase } from './payment.ts';
import type { Rejection } from './rejection.ts';

/** Decides open cases: credits their money together, or returns one (decisions 5.5; ledger page, "case credited / returned"). */
export function decideCase(draft: Draft, command: DecideCase, on: Circumstances): Rejection | null {
  const { caseNo, alsoCaseNos = [], merchantId } = command;
  const named = [caseNo, ...alsoCaseNos].map((no) =>
    draft.cases.find((one) => one.caseNo === no && one.merchantId === merchantId),
  );
  const found = named.filter((one) => one !== undefined);
  const [first] = found;
  if (!first || found.length < named.length) return 'case_not_found';
  if (found.some(({ state }) => state !== 'open')) return 'case_closed';
  const refusal = command.type === 'creditCase' ? credit(draft, found, command, on) : giveBack(draft, first, on);
  if (refusal) return refusal;
  const state = command.type === 'creditCase' ? 'credited' : 'returned';
  for (const one of command.type === 'creditCase' ? found : [first]) {
    Object.assign(one, { state, closedAt: on.now });
    draft.changedCases.push(one);
  }
  return null;
}

function credit(draft: Draft, found: MoneyCase[], command: DecideCase, on: Circumstances): Rejection | null {
  const { order, otherWallet, wallet } = draft;
  if (new Set(found).size < found.length) return 'case_not_creditable';
  if (found.some(({ kind }) => isOutgoing(kind) || kind === 'contradiction')) return 'case_not_creditable';
  // A merchant's money is never another's; what belongs to nobody yet lies with the platform of the country.
  const isPlatforms = wallet.merchantId.startsWith('PLATFORM-');
  if (isPlatforms !== (otherWallet !== null) || (otherWallet && otherWallet.currency !== wallet.currency))
    return 'case_not_creditable';
  if (command.toWallet) return creditWallet(draft, found, command, on);
  if (!order) return 'case_not_creditable';
  return order.kind === 'payin' ? creditOrder(draft, order, found, command, on) : creditPayout(draft, order, found, on);
}

function giveBack(draft: Draft, found: MoneyCase, on: Circumstances): null {
  if (found.kind === 'contradiction') return null;
  const amount = Money.of(found.amount, draft.wallet.currency);
  const channel = channelAccount(found.channelId);
  // Money that went out by mistake comes back from the channel; all other money goes back to it.
  if (isOutgoing(found.kind)) post(draft, channel, 'suspense', amount, 'suspense_in', found.orderNo, on.now);
  else post(draft, 'suspense', channel, amount, 'suspense_out', found.orderNo, on.now);
  return null;
}
