import * as z from 'zod';
import type { MoneyCase } from '../../../core/payment.ts';
import { decideCase } from '../decide-case.ts';
import { count, merchantId } from '../input-forms.ts';
import type { Operation } from '../operation.ts';

const named = z.strictObject({
  merchantId: merchantId('Whose case: a merchant number, or PLATFORM-CN, -TH, -IN, -PK for unmatched money.'),
  caseNo: count("The case's number among the merchant's."),
});

function deciding(decision: 'credit' | 'return', summary: string): Operation<typeof named, MoneyCase> {
  return {
    summary,
    roles: ['finance'],
    input: named,
    about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'case_not_found' }),
    subject: ({ caseNo }) => `case ${caseNo}`,
    execute: ({ domain, by }, input) => decideCase(domain, decision, input, by),
  };
}

export const creditCase = deciding(
  'credit',
  "Credit a case's money to its merchant; its order completes, and the merchant is told.",
);
export const returnCase = deciding('return', "Return a case's money to where it came from.");
