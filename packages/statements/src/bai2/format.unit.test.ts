import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';

const format = formatOf('bai2');
const dollars = { currency: 'USD', timeZone: 'UTC' };

/** One account with these records; control totals as given. */
const file = (records: readonly string[], sum: string, count = records.length + 2) =>
  [
    '01,SENDER,RECEIVER,261102,0600,1,,,2/',
    '02,RECEIVER,SENDER,1,261101,2359,USD,2/',
    '03,12345,,010,10000,,,015,10500,,,100,1500,2,,400,1000,1,/',
    ...records,
    `49,${sum},${count}/`,
    `98,${sum},1,${count + 2}/`,
    `99,${sum},1,${count + 4}/`,
  ].join('\n');

const balances = 10_000 + 10_500 + 1_500 + 1_000;
const rows = [
  '16,165,1000,1,B1,P1,TEXT, WITH COMMA/',
  '88,MORE, OF IT',
  '16,195,500,,B2,P2/',
  '16,495,1000,V,261102,,B3,P3,/',
];

test('each transaction is read as a line, and each account as a statement', async () => {
  const { lines, summaries, unparsed } = await readAll(format, file(rows, String(balances + 2_500)), dollars);
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    {
      lineNo: 4,
      part: 0,
      type: 'payin',
      direction: 'in',
      gross: '10.00',
      fee: '0.00',
      tax: '0.00',
      net: '10.00',
      currency: 'USD',
      occurredAt: null,
      bookedOn: '2026-11-01',
      channelRef: null,
      orderNo: 'P1',
      bankRef: 'B1',
      settlementRef: null,
      balanceAfter: null,
    },
    expect.objectContaining({ lineNo: 6, type: 'payin', gross: '5.00', orderNo: 'P2' }),
    expect.objectContaining({ lineNo: 7, type: 'payout', direction: 'out', bankRef: 'B3', orderNo: 'P3' }),
  ]);
  expect(summaries).toEqual([
    {
      account: '12345',
      currency: 'USD',
      from: '2026-11-01',
      to: '2026-11-01',
      opening: '100.00',
      closing: '105.00',
      lines: null,
      totalIn: '15.00',
      totalOut: '10.00',
    },
  ]);
});

// Numbers of section 3 of the specification, as moov-io/bai2 (Apache 2.0) has them in its tests.
test('a record 03 continues in 88, and funds types have their own fields', async () => {
  const specified = [
    '01,122099999,123456789,040621,0200,1,65,,2/',
    '02,071207890,122099999,1,040620,2359,,2/',
    '03,0975312468,,010,500000,,,190,70000000,4,0,110/',
    '88,70000000,15,D,3,0,20000000,1,30000000,3,20000000/',
    '49,140500000,3/',
    '98,140500000,1,5/',
    '99,140500000,1,7/',
  ];
  const { summaries } = await readAll(format, specified.join('\r\n'), dollars);
  expect(summaries).toMatchObject([{ account: '0975312468', opening: '5000.00', from: '2004-06-20' }]);
});

test.each([
  ['the funds type is not known', '16,165,1000,Q,B1,P1/', 1_000],
  ['its code is neither of credits nor of debits', '16,890,1000,,B1,P1/', 1_000],
  ['the amount is not an amount', '16,165,10.00,,B1,P1/', 0],
  ['the amount is negative', '16,165,-1000,,B1,P1/', -1_000],
  ["the bank's reference is longer than 128 characters", `16,165,1000,,${'x'.repeat(129)},P1/`, 1_000],
])('only the bad transaction is set aside: %s', async (reason, row, amount) => {
  const content = file([row, '16,165,700,,B2,P2/'], String(balances + 700 + amount));
  const { lines, unparsed } = await readAll(format, content, dollars);
  expect(unparsed).toEqual([{ lineNo: 4, reason }]);
  expect(lines).toMatchObject([{ lineNo: 5, gross: '7.00' }]);
});

test('transactions of an account in another currency, or of a correction, are set aside', async () => {
  const one = file(['16,165,700,,B2,P2/'], String(balances + 700));
  for (const [from, to, reason] of [
    ['2359,USD', '2359,EUR', 'another currency'],
    ['SENDER,1,', 'SENDER,3,', 'the group is a deletion, a correction or a test'],
  ] as const)
    expect((await readAll(format, one.replace(from, to), dollars)).unparsed).toEqual([{ lineNo: 4, reason }]);
});

const whole = file(rows, String(balances + 2_500));

test.each([
  ['a wrong sum', whole.replace('49,25500', '49,25501'), 'totals_differ'],
  ['a transaction missing', whole.replace('16,195,500,,B2,P2/\n', ''), 'totals_differ'],
  ['a wrong number of records', whole.replace(',6/\n98', ',7/\n98'), 'totals_differ'],
  ['a wrong number of groups', whole.replace('99,25500,1', '99,25500,2'), 'totals_differ'],
  ['a file that breaks off', whole.slice(0, whole.indexOf('98,')), 'damaged'],
  ['a record in a wrong place', whole.replace('02,RECEIVER', '16,RECEIVER'), 'damaged'],
  ['a line that is no record', whole.replace('16,195', '17,195'), 'damaged'],
  ['a date that does not exist', whole.replace('1,261101', '1,261301'), 'damaged'],
  ['two files', `${whole}\n${whole}`, 'damaged'],
  ['another format', ':20:START', 'other_format'],
  ['an empty file', '', 'other_format'],
  ['a record of 70,000 characters', whole.replace('88,MORE', `88,MORE\n${'88,x\n'.repeat(35_000)}88,`), 'too_large'],
])('the file is refused: %s', async (_, content, reason) => {
  await expect(readAll(format, content, dollars)).rejects.toMatchObject({ name: 'StatementUnreadable', reason });
});

test('surplus commas at the end of a line are skipped, if the control totals agree', async () => {
  const surplus = file(rows, String(balances + 2_500))
    .replace(
      '03,12345,,010,10000,,,015,10500,,,100,1500,2,,400,1000,1,/',
      '03,12345,,010,10000,,,015,10500,,,/\n88,100,1500,2,,,400,1000,1,,,/',
    )
    .replaceAll(/^(49|98|99)(.*),(\d+)\/$/gm, (_, code, rest, count) => `${code}${rest},${Number(count) + 1}/`);
  const { lines, summaries } = await readAll(format, surplus, dollars);
  expect(lines).toHaveLength(3);
  expect(summaries).toMatchObject([{ opening: '100.00', closing: '105.00', totalIn: '15.00', totalOut: '10.00' }]);
  const other = surplus.replace('88,100,1500,2,', '88,100,1600,2,');
  await expect(readAll(format, other, dollars)).rejects.toMatchObject({ reason: 'totals_differ' });
});

test.each([
  ['the text', '16,165,1000,1,B1,4711,IPS PI0KQ3Z4M9XABCD0123456789AB THANKS/'],
  ['a text that goes on', '16,165,1000,1,B1,4711,IPS PI0KQ3Z4M/\n88,9XABCD0123456789AB/'],
  ["the bank's reference", '16,165,1000,1,PI0KQ3Z4M9XABCD0123456789AB,4711,x/'],
])('our order number is found in %s', async (_where, record) => {
  const physical = record.split('\n').length;
  const content = file([record], String(balances + 1_000), physical + 2);
  expect((await readAll(format, content, dollars)).lines).toMatchObject([{ orderNo: 'PI0KQ3Z4M9XABCD0123456789AB' }]);
});
