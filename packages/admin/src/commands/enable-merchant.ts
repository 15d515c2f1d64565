import { changeConfiguration, setMerchantStatus } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo } from '../readers.ts';

export const enableMerchant = defineCommand({
  name: 'enable-merchant',
  group: 'Merchants',
  summary: "let a disabled merchant's requests in again",
  kind: 'change',
  role: 'admin',
  fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
  async run({ domain, by }, { merchant }) {
    if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
    const change = {
      merchantId: merchant,
      change: 'setMerchantStatus',
      subject: merchant,
      settings: { status: 'active' },
    };
    await changeConfiguration(domain, change, by, () => setMerchantStatus(domain, merchant, 'active'));
    return done(`Merchant ${merchant} is active.`, { merchantNo: merchant, status: 'active' });
  },
});
