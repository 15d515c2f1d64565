import { listFeeRules } from '@tidegate/domain/admin';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo } from '../readers.ts';

export const listFees = defineCommand({
  name: 'list-fees',
  group: 'Merchants',
  summary: 'what a merchant pays',
  kind: 'read',
  roles: null,
  restricted: true,
  fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
  async run({ domain, operator }, { merchant }) {
    if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
    const rows = await listFeeRules(domain, merchant);
    return done(
      `Merchant ${merchant}: ${rows.length}`,
      rows.map((one) => ({ ...one })),
    );
  },
});
