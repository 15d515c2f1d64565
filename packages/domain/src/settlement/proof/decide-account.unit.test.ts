import { expect, test } from 'vitest';
import { problemOfAccount } from './decide-account.ts';

const paying = 'TH00 1234 5678 9012';
const alone = { channels: [], payers: [] };
const masked = { channelId: 'bank', account: 'XXXX9012' };
const reserve = (account: string) => ({ channels: [masked, { channelId: 'reserve', account }], payers: [paying] });

test.each<[string, Parameters<typeof problemOfAccount>, string | null]>([
  ['the whole number', [{ channelId: 'bank', account: 'TH00123456789012' }, paying, reserve('XXXX9012')], null],
  ['the end alone, if no other account has it', [masked, paying, reserve('TH00123456780000')], null],
  ['the end, and a channel whose whole number it is', [masked, paying, reserve(paying)], 'bank and reserve both fit'],
  ['the end, and another channel that shows only the end', [masked, paying, reserve('9012')], 'both fit'],
  [
    'the end, and another account that pays',
    [masked, paying, { channels: [masked], payers: [paying, 'TH0099999012'] }],
    'several accounts that pay fit the account of bank',
  ],
  [
    'the end, and the account that pays twice',
    [masked, paying, { channels: [masked], payers: ['TH00123456789012', paying] }],
    null,
  ],
  ['another number with the same end', [{ channelId: 'bank', account: 'TH00999999999012' }, paying, alone], 'too'],
  ['another number', [{ channelId: 'bank', account: 'TH00999999991111' }, paying, alone], 'ends with 9012 pays'],
  ['no account', [{ channelId: 'bank', account: null }, paying, alone], 'is not known'],
  ['no account that pays', [masked, null, alone], 'no bank file'],
])('a line whose account shows %s', (_, given, problem) => {
  const found = problemOfAccount(...given);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
