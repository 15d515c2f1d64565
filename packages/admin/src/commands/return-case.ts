import { decideCase } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { count, merchantNo } from '../readers.ts';
import { rejected } from '../rejections.ts';
import { caseRow } from '../views.ts';

export const returnCase = defineCommand({
  name: 'return-case',
  group: 'Cases',
  summary: "return a case's money to where it came from",
  kind: 'change',
  role: 'finance',
  fields: {
    merchantId: argument('<merchant>', 'whose case: a merchant number, or PLATFORM-CN, -TH, -IN, -PK', merchantNo),
    caseNo: argument('<case>', 'its number, see list-cases', count),
  },
  async run({ domain, by }, { merchantId, caseNo }) {
    const decided = await decideCase(domain, 'return', { merchantId, caseNo }, by);
    if (!decided.ok) return rejected(`case ${caseNo} of ${merchantId}`, decided);
    return done(`Case ${caseNo} of ${merchantId} is returned.`, caseRow(decided.value));
  },
});
