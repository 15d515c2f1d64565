import { changeConfiguration, retireMerchantKey } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, matching, optional } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { instant, merchantNo } from '../readers.ts';

export const retireKey = defineCommand({
  name: 'retire-key',
  group: 'Merchants',
  summary: "end one of a merchant's public keys, at once or after an overlap",
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    key: argument('<key-id>', 'as add-key gave it', matching(/^\S{1,128}$/, 'a key id')),
    endsAt: optional('--ends-at <time>', 'until when it still verifies (default: now)', instant),
  },
  async run({ domain, by }, { merchant, key, endsAt }) {
    const profile = await findMerchant(domain, merchant);
    if (!profile) return noMerchant(merchant);
    const ends = endsAt?.toISOString() ?? 'now';
    const change = { merchantId: merchant, change: 'retireMerchantKey', subject: key, settings: { endsAt: ends } };
    const retire = () => retireMerchantKey(domain, merchant, key, endsAt ?? null);
    const ids = profile.keys.map(({ keyId }) => keyId).join(', ') || 'none';
    if (!(await changeConfiguration(domain, change, by, retire)))
      return refused(`${merchant} has no key ${key}; its keys: ${ids}`);
    const others = profile.keys.filter(
      (one) => one.keyId !== key && (one.expiresAt === null || one.expiresAt > Date.now()),
    );
    const warning = others.length === 0 ? ' It has no other: add one before this ends.' : '';
    return done(`Key ${key} of ${merchant} ends ${ends}.${warning}`, {
      merchantNo: merchant,
      keyId: key,
      endsAt: ends,
      otherKeys: others.length,
    });
  },
});
