import { listRoutes } from '@tidegate/domain/admin';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo } from '../readers.ts';

export const listRoutesCommand = defineCommand({
  name: 'list-routes',
  group: 'Merchants',
  summary:
    'which ways the orders of a merchant may take, and whether it has a fee for them: without one they are refused',
  kind: 'read',
  roles: null,
  restricted: true,
  fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
  async run({ domain, operator }, { merchant }) {
    if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
    const rows = await listRoutes(domain, merchant);
    return done(
      `Merchant ${merchant}: ${rows.length}`,
      rows.map((one) => ({ ...one })),
    );
  },
});
