import { expect, test } from 'vitest';
import type { Country } from '../core/country.ts';
import { countryRules } from './index.ts';

// What each country does differently (decisions 4, 5.2, 7.1), written out by hand.

// biome-ignore format: a table is read by its columns
test.each<[Country, string, string, string, 'worker' | 'request', boolean, string[]]>([
  ['CN', 'China', 'CNY', 'zh', 'worker', false, ['currency', 'countryCode']],
  ['TH', 'Thailand', 'THB', 'th', 'request', true, ['failureReason']],
  ['IN', 'India', 'INR', 'hi', 'request', false, []],
  ['PK', 'Pakistan', 'PKR', 'ur', 'request', false, []],
])('%s (%s) has its currency %s, checkout language %s, submitter of payins (%s), default notifyUrl (%s) and extra fields %j', (
  code, name, currency, language, submittedBy, defaultNotifyUrl, extraFields,
) => {
  const rules = countryRules[code];
  expect(rules).toMatchObject({ code, name, currency, checkout: { language } });
  expect(rules.payin).toMatchObject({ submittedBy, defaultNotifyUrl });
  expect(rules.payin.notifications.extraFields).toEqual(extraFields);
});

test.each<[Country, boolean | null]>([
  ['CN', null],
  ['TH', null],
  ['IN', false],
  ['PK', true],
])('%s: whether a payout needs a bank mapping for its bank code (%s)', (code, mappingRequired) => {
  const { payout } = countryRules[code];
  expect(payout?.mappingRequired ?? null).toBe(mappingRequired);
  expect(payout?.notifications.extraFields ?? []).toEqual([]);
});
