import { expect, test } from 'vitest';
import { helpBeside } from './field-help.ts';

test.each([
  ['Amount paid to the merchant (INR)', 'Amount.', ''],
  [
    'Number of the bank transfer',
    'Number of the bank transfer. Sending the same number again has no effect.',
    'Sending the same number again has no effect.',
  ],
  [
    'Remark for the merchant',
    'Remark that the merchant sees in its wallet.',
    'Remark that the merchant sees in its wallet.',
  ],
  ['Reason', '', ''],
])('the help text of the field "%s" repeats nothing of its label', (label, help, shown) => {
  expect(helpBeside(label, help)).toBe(shown);
});
