import { expect, test } from 'vitest';
import { problemOfAccounts } from './decide-account.ts';

const number = 'TH00 1234 5678 9012';
const alike = 'TH00 9999 0000 9012';
const reserve = { channelId: 'reserve', account: alike };

test.each<[string, (string | null)[], string | null, string | null]>([
  ['its whole number', ['th00123456789012'], number, null],
  ['no account', [null], number, null],
  ['only the end, which two accounts have: the chosen channel counts', ['XXXX9012'], number, null],
  ['the number of another channel with the same end', [alike], number, 'the account of the channel reserve'],
  ['the number of another channel, where this one is known by its end', [alike], 'XXXX9012', 'the channel reserve'],
  ['the number of another channel in its first file', [alike], null, 'the account of the channel reserve'],
  ['another number', ['TH00 1111 1111 9012'], number, 'another account than that of this channel'],
  ['a number in its first file', [number, null, number], null, null],
  ['two numbers in its first file', [number, 'TH00 1111 1111 9012'], null, 'is about several accounts'],
  ['its number and another one', [number, alike], number, 'the account of the channel reserve'],
])('a file that names %s', (_, accounts, account, problem) => {
  const found = problemOfAccounts(
    accounts.map((one) => ({ account: one })),
    { account, others: [reserve] },
  );
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
