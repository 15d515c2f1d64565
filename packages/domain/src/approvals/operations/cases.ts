import * as z from 'zod';
import {
  creditCase as credit,
  creditCommand,
  endingCommand,
  endOutgoingCase,
  returnCase as giveBack,
  resolveRefund as resolve,
  resolveCommand,
  returnWays,
} from '../../cases/index.ts';
import type { MoneyCase } from '../../core/payment.ts';
import { caseNos, choice, count, merchantId, orderNo, refundNo, text } from '../input-schemas.ts';
import { aboveLimit, type Operation } from '../operation.ts';
import { always, onlyAboveLimit } from '../second-operator-rule.ts';

const named = {
  merchantId: merchantId(
    'Merchant number of the case. For unmatched money: PLATFORM-CN, PLATFORM-TH, PLATFORM-IN or PLATFORM-PK.',
  ),
  caseNo: count('Number of the case within the merchant.'),
};

const creditInput = z.strictObject({
  ...named,
  alsoCaseNos: caseNos('Further cases of the same merchant, to be credited together.').optional(),
  orderNo: orderNo('Ended payin to credit. Default: the order of the case.').optional(),
  toMerchantId: merchantId(
    'Merchant whose wallet is credited, if there is no order. Needs a second operator.',
  ).optional(),
});
const returnInput = z.strictObject({
  ...named,
  way: choice(
    'BY_CHANNEL: the channel sends the money back to the payer. BY_HAND: it is back already. Default: BY_HAND.',
    returnWays,
  ).optional(),
});
const endingInput = z.strictObject(named);
const resolveInput = z.strictObject({
  ...named,
  refundNo: refundNo('Refund that the evidence is about. Refused if the case has another one by then.'),
  outcome: choice('REFUNDED returns the case. FAILED opens it for another decision.', ['refunded', 'failed']),
  evidence: text('Evidence that both operators have seen, e.g. the refund in the portal of the channel.'),
});

export const creditCase: Operation<typeof creditInput, MoneyCase> = {
  summary: `Credit the money of cases to an order, which completes it, or to a wallet. Any excess opens a new case.${aboveLimit}`,
  title: ({ orderNo, toMerchantId }) => {
    if (orderNo !== undefined) return `Credit to order ${orderNo}`;
    return toMerchantId === undefined ? 'Credit to its order' : `Credit to the wallet of ${toMerchantId}`;
  },
  roles: ['finance'],
  input: creditInput,
  about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
  alsoAffects: ({ orderNo, toMerchantId }) => {
    if (orderNo !== undefined) return { kind: 'order', orderNo };
    return toMerchantId === undefined ? null : { kind: 'merchant', merchantId: toMerchantId };
  },
  subject: ({ caseNo }) => `case ${caseNo}`,
  alsoSubjects: ({ alsoCaseNos = [] }) => alsoCaseNos.map((caseNo) => `case ${caseNo}`),
  // Without an order nothing proves how much the merchant should get.
  needsSecond: (input) => isToWallet(input) || 'above_limit',
  versioned: 'case',
  trial: ({ alsoCaseNos = [], ...target }, { found, order }, by) => {
    const toMerchantId = order?.merchantId ?? target.toMerchantId;
    const toWallet = isToWallet(target);
    return creditCommand(
      found ?? missing(),
      { ...target, alsoCaseNos: alsoCaseNos.map(Number), toMerchantId, toWallet },
      by,
    );
  },
  execute: ({ domain, by }, { merchantId, caseNo, alsoCaseNos = [], orderNo, toMerchantId }) => {
    const also = alsoCaseNos.map(Number);
    return credit(domain, { merchantId, caseNo }, { alsoCaseNos: also, orderNo, toMerchantId }, by);
  },
};

export const returnCase: Operation<typeof returnInput, MoneyCase> = {
  summary: `Return the money of a case to its sender, through its channel or by hand. A contradiction is closed.${aboveLimit}`,
  title: ({ way = 'by_hand' }) => ({ by_hand: 'Close as returned', by_channel: 'Send back through the channel' })[way],
  roles: ['finance'],
  input: returnInput,
  about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
  subject: ({ caseNo }) => `case ${caseNo}`,
  versioned: 'case',
  trial: ({ way, ...named }, { found }, by) => {
    const refundNo = way === 'by_channel' && { refundNo: 'trial' };
    return { type: 'returnCase', ...named, orderNo: found?.orderNo ?? null, ...refundNo, by };
  },
  needsSecond: onlyAboveLimit,
  execute: ({ domain, by }, { way = 'by_hand', ...named }) => giveBack(domain, named, way, by),
};

/** The two endings of a case about money that left and does not come back. */
function ending(
  type: 'chargeCase' | 'writeOffCase',
  summary: string,
  title: () => string,
): Operation<typeof endingInput, MoneyCase> {
  return {
    summary,
    title,
    roles: ['finance'],
    input: endingInput,
    about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
    subject: ({ caseNo }) => `case ${caseNo}`,
    versioned: 'case',
    trial: (_, { found }, by) => endingCommand(found ?? missing(), type, by),
    needsSecond: always,
    execute: ({ domain, by }, input) => endOutgoingCase(domain, input, type, by),
  };
}

export const chargeCase = ending(
  'chargeCase',
  'Charge money that left for an ended payout to its merchant, whose wallet pays it. Needs a second operator.',
  () => 'Charge the merchant',
);

export const writeOffCase = ending(
  'writeOffCase',
  'Write off money that left for an ended or unknown payout: the platform bears it. Needs a second operator.',
  () => 'Write off',
);

export const resolveRefund: Operation<typeof resolveInput, MoneyCase> = {
  summary:
    'End a refund whose channel gives no definite answer, by evidence. Query the channel first. Needs a second operator.',
  title: ({ outcome }) => ({ refunded: 'Mark refunded', failed: 'Mark the refund failed' })[outcome],
  roles: ['finance'],
  input: resolveInput,
  about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
  subject: ({ caseNo }) => `case ${caseNo}`,
  versioned: 'case',
  trial: (input, _, by) => resolveCommand(input, input, by),
  // A second operator is always needed, for any amount, as for a stuck payout (decisions 5.4).
  needsSecond: always,
  execute: ({ domain, by }, input) => resolve(domain, input, input, by),
};

function isToWallet({ orderNo, toMerchantId }: { orderNo?: string | undefined; toMerchantId?: string | undefined }) {
  return orderNo === undefined && toMerchantId !== undefined;
}

function missing(): never {
  throw new Error('a decision was tried without its case');
}
