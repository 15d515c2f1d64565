import { changeConfiguration, setMerchantStatus } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo } from '../readers.ts';

export const disableMerchant = defineCommand({
  name: 'disable-merchant',
  group: 'Merchants',
  summary: 'refuse every request of a merchant; its open orders go on',
  kind: 'change',
  role: 'admin',
  fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
  async run({ domain, by }, { merchant }) {
    if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
    const change = {
      merchantId: merchant,
      change: 'setMerchantStatus',
      subject: merchant,
      settings: { status: 'disabled' },
    };
    await changeConfiguration(domain, change, by, () => setMerchantStatus(domain, merchant, 'disabled'));
    return done(`Merchant ${merchant} is disabled.`, { merchantNo: merchant, status: 'disabled' });
  },
});
