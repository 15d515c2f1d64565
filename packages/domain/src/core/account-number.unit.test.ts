import { expect, test } from 'vitest';
import { type AccountFit, fitOfAccounts } from './account-number.ts';

test.each<[string, string, AccountFit, string]>([
  ['TH00 1234 5678 9012', 'th00123456789012', 'whole', 'spaces and case do not matter'],
  ['123-4-56789-0', '1234567890', 'whole', 'hyphens do not matter'],
  ['TH00 1234 5678 9012', 'TH00 9999 0000 9012', 'no', 'the same last four characters are not enough'],
  ['XXXXXXXXXXXX9012', 'TH00123456789012', 'ending', 'a masked number shows its end'],
  ['**** 9012', 'TH00123456789012', 'ending', 'a masked number of another length shows its end'],
  ['TH00XXXXXXXX9012', 'TH99123456789012', 'no', 'a masked number shows another beginning'],
  ['XXXX9012', 'XXXX9012', 'ending', 'two masked numbers'],
  ['9012', 'TH00123456789012', 'ending', 'only the last four are known'],
  ['HDFC/50100123456', '50100123456', 'ending', 'the bank writes its code before the number'],
  ['1291.99.348EUR', '129199348', 'ending', 'the bank writes the currency after the number'],
  ['012', 'TH00123456789012', 'no', 'three characters are too few'],
  ['XXXXXXXXXXXXX012', 'TH00123456789012', 'no', 'three shown characters are too few'],
  ['9013', 'TH00123456789012', 'no', 'another end'],
])('%s and %s: %s, because %s', (one, other, fit) => {
  expect(fitOfAccounts(one, other)).toBe(fit);
  expect(fitOfAccounts(other, one)).toBe(fit);
});
