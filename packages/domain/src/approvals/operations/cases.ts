import * as z from 'zod';
import { creditCase as credit, returnCase as giveBack } from '../../cases/index.ts';
import type { MoneyCase } from '../../core/payment.ts';
import { caseNos, count, merchantId, orderNo } from '../input-schemas.ts';
import { aboveLimit, type Operation } from '../operation.ts';

const named = {
  merchantId: merchantId('Whose case: a merchant number, or PLATFORM-CN, -TH, -IN, -PK for unmatched money.'),
  caseNo: count("The case's number among the merchant's."),
};

const creditInput = z.strictObject({
  ...named,
  alsoCaseNos: caseNos('Further cases of the same merchant, credited together with it.').optional(),
  orderNo: orderNo('The ended payin that is credited; left out: the order that the case is about.').optional(),
  toMerchantId: merchantId('Without an order: whose wallet is credited. Two operators have to agree.').optional(),
});
const returnInput = z.strictObject(named);

export const creditCase: Operation<typeof creditInput, MoneyCase> = {
  summary: `Credit cases' money to an order, which completes, or to a wallet; what exceeds the order is a case of its own${aboveLimit}`,
  roles: ['finance'],
  input: creditInput,
  about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
  leadsTo: ({ orderNo, toMerchantId }) => {
    if (orderNo !== undefined) return { kind: 'order', orderNo };
    return toMerchantId === undefined ? null : { kind: 'merchant', merchantId: toMerchantId };
  },
  subject: ({ caseNo }) => `case ${caseNo}`,
  // No order says what the merchant is owed.
  needsSecond: ({ orderNo, toMerchantId }) => (orderNo === undefined && toMerchantId !== undefined) || 'above_limit',
  execute: ({ domain, by }, { merchantId, caseNo, alsoCaseNos = [], orderNo, toMerchantId }) => {
    const also = alsoCaseNos.map(Number);
    return credit(domain, { merchantId, caseNo }, { alsoCaseNos: also, orderNo, toMerchantId }, by);
  },
};

export const returnCase: Operation<typeof returnInput, MoneyCase> = {
  summary: "Return a case's money to where it came from; a contradiction is closed.",
  roles: ['finance'],
  input: returnInput,
  about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
  subject: ({ caseNo }) => `case ${caseNo}`,
  execute: ({ domain, by }, input) => giveBack(domain, input, by),
};
