import { changeConfiguration, type MerchantSettings, setMerchant } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, given, optional } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { amount, count, merchantNo, networks, onOff, text, url } from '../readers.ts';

const orNone =
  <T>(read: (given: string) => T) =>
  (given: string) =>
    given === 'none' ? null : read(given);

export const setMerchantCommand = defineCommand({
  name: 'set-merchant',
  group: 'Merchants',
  summary: "change a merchant's settings; what is left out stays",
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    name: optional('--name <name>', 'what payers see', text),
    defaultNotifyUrl: optional('--default-notify-url <url>', 'default notify URL, or none', orNone(url)),
    ipAllowList: optional(
      '--ip-allow-list <list>',
      'addresses and networks, a comma between them; none: everyone',
      orNone(networks),
    ),
    requestsPerSecond: optional('--requests-per-second <n>', 'rate limit', count),
    requestBurst: optional('--request-burst <n>', 'how many at once', count),
    payinMin: optional('--payin-min <amount>', 'smallest payin', amount),
    payinMax: optional('--payin-max <amount>', 'largest payin', amount),
    payoutMin: optional('--payout-min <amount>', 'smallest payout', amount),
    payoutMax: optional('--payout-max <amount>', 'largest payout', amount),
    acceptDeprecatedFields: optional(
      '--accept-deprecated-fields <on|off>',
      'PK: ignore fields that must not be sent',
      onOff,
    ),
    payinEnabled: optional('--payin <on|off>', 'whether payins are offered', onOff),
    payoutEnabled: optional('--payout <on|off>', 'whether payouts are offered', onOff),
  },
  async run({ domain, by }, { merchant, ...input }) {
    const profile = await findMerchant(domain, merchant);
    if (!profile) return noMerchant(merchant);
    const settings: MerchantSettings = given(input);
    const change = { merchantId: merchant, change: 'setMerchant', subject: merchant, settings: { ...settings } };
    let problems: string[] = [];
    await changeConfiguration(domain, change, by, async () => {
      problems = await setMerchant(domain, profile, settings);
      return problems.length === 0;
    });
    if (problems.length > 0) return refused(`${merchant} was not changed: ${problems.join('; ')}`);
    return done(`Merchant ${merchant} is changed.`, { merchantNo: merchant, ...given(input) });
  },
});
