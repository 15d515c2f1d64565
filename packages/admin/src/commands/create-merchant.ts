import { changeConfiguration, countries, createMerchant, problemOfNotifyUrl } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, given, oneOf, optional, required, toggle } from '../fields.ts';
import { isPlatform } from '../lookups.ts';
import { merchantNo, text, url } from '../readers.ts';

export const createMerchantCommand = defineCommand({
  name: 'create-merchant',
  group: 'Merchants',
  summary: 'create a merchant with an empty wallet; country and currency are bound to it for good',
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number: 3 to 32 capital letters, digits or hyphens', merchantNo),
    name: required('--name <name>', 'what payers see', text),
    country: required('--country <country>', countries.join(', '), oneOf(...countries)),
    defaultNotifyUrl: optional(
      '--default-notify-url <url>',
      'where payouts and TH payins without an address of their own are told',
      url,
    ),
    acceptDeprecatedFields: toggle(
      '--accept-deprecated-fields',
      'PK: ignore fields that must not be sent, instead of refusing them',
    ),
  },
  async run({ domain, by }, { merchant, name, country, acceptDeprecatedFields, defaultNotifyUrl }) {
    if (isPlatform(merchant)) return refused(`${merchant} is a name of the platform's own: choose another`);
    const problem = defaultNotifyUrl === undefined ? null : problemOfNotifyUrl(defaultNotifyUrl, domain.notifyNetworks);
    if (problem !== null) return refused(`the notify URL ${problem}`);
    const settings = { name, country, acceptDeprecatedFields, ...given({ defaultNotifyUrl }) };
    const change = { merchantId: merchant, change: 'createMerchant', subject: merchant, settings };
    const input = { merchantId: merchant, ...settings };
    if (!(await changeConfiguration(domain, change, by, () => createMerchant(domain, input))))
      return refused(
        `the merchant number ${merchant} is taken: choose another, or change that merchant with set-merchant`,
      );
    return done(`Merchant ${merchant} is created. Next: add-key, set-fee and set-route.`, {
      merchantNo: merchant,
      ...settings,
    });
  },
});
