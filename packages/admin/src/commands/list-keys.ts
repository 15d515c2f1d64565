import { listMerchantKeys } from '@tidegate/domain/admin';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo } from '../readers.ts';
import { timeText } from '../views.ts';

export const listKeys = defineCommand({
  name: 'list-keys',
  group: 'Merchants',
  summary: 'the public keys with which a merchant signs, those that ended too',
  kind: 'read',
  roles: null,
  restricted: true,
  fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
  async run({ domain, operator }, { merchant }) {
    if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
    const rows = await listMerchantKeys(domain, merchant);
    return done(
      `Merchant ${merchant}: ${rows.length}`,
      rows.map((one) => ({
        ...one,
        createdAt: timeText(one.createdAt),
        endsAt: timeText(one.endsAt),
        lastUsedAt: timeText(one.lastUsedAt),
      })),
    );
  },
});
