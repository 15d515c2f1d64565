import { decideCase } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { count, merchantNo } from '../readers.ts';
import { rejected } from '../rejections.ts';
import { caseRow } from '../views.ts';

export const creditCase = defineCommand({
  name: 'credit-case',
  group: 'Cases',
  summary: "credit a case's money to its merchant; its order completes, and the merchant is told",
  kind: 'change',
  role: 'finance',
  fields: {
    merchantId: argument('<merchant>', 'whose case: a merchant number, or PLATFORM-CN, -TH, -IN, -PK', merchantNo),
    caseNo: argument('<case>', 'its number, see list-cases', count),
  },
  async run({ domain, by }, { merchantId, caseNo }) {
    const decided = await decideCase(domain, 'credit', { merchantId, caseNo }, by);
    if (!decided.ok) return rejected(`case ${caseNo} of ${merchantId}`, decided);
    return done(`Case ${caseNo} of ${merchantId} is credited.`, caseRow(decided.value));
  },
});
