import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';

const format = formatOf('mt940');
const india = { currency: 'INR', timeZone: 'Asia/Kolkata' };

const message = (...fields: string[]) => [':20:START', ':25:HDFC/123456', ...fields, '-', ''].join('\r\n');
const statement = (...entries: string[]) =>
  message(
    ':28C:1/1',
    ':60F:C261031INR100,',
    ...entries,
    ':62F:D261101INR50,5',
    ':64:C261101INR1,',
    ':86:not of an entry',
  );
const read = (...entries: string[]) => readAll(format, statement(...entries), india);

test('an entry (field 61) becomes a statement line with its references', async () => {
  const { lines, summaries, unparsed } = await read(':61:2611011101CR1234,5NTRFP1//B1\r\nmore of it', ':86:text');
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    {
      lineNo: 5,
      part: 0,
      type: 'payin',
      direction: 'in',
      gross: '1234.50',
      fee: '0.00',
      tax: '0.00',
      net: '1234.50',
      currency: 'INR',
      occurredAt: null,
      bookedOn: '2026-11-01',
      channelRef: null,
      orderNo: 'P1',
      bankRef: 'B1',
      settlementRef: null,
      balanceAfter: null,
    },
  ]);
  expect(summaries).toEqual([
    {
      account: 'HDFC/123456',
      currency: 'INR',
      from: '2026-11-01',
      to: '2026-11-01',
      opening: '100.00',
      closing: '-50.50',
      lines: null,
      totalIn: null,
      totalOut: null,
    },
  ]);
});

test.each([
  ['C', 'NTRF', 'in', 'payin'],
  ['D', 'NTRF', 'out', 'payout'],
  ['D', 'S103', 'out', 'payout'],
  ['RC', 'NTRF', 'out', 'refund'],
  ['RD', 'NTRF', 'in', 'payout_return'],
  ['C', 'NRTI', 'in', 'payout_return'],
  ['D', 'NCHG', 'out', 'fee'],
  ['C', 'NMSC', 'in', 'unknown'],
])('an entry with the mark %s and the code %s is money %s, of type %s', async (mark, code, direction, type) => {
  const { lines } = await read(`:61:261101${mark}1,00${code}NONREF`);
  expect(lines).toMatchObject([{ direction, type, orderNo: null, bookedOn: '2026-11-01' }]);
});

test.each([
  ['2612311231', '2026-12-31'],
  ['2701021231', '2026-12-31'],
  ['2612310102', '2027-01-02'],
  ['261231    ', '2026-12-31'],
  ['2702300301', '2027-03-01'],
])('an entry with the value date and entry date %s is booked on %s', async (dates, bookedOn) => {
  expect((await read(`:61:${dates}C1,NTRFX`)).lines).toMatchObject([{ bookedOn }]);
});

test.each([
  ['in German form', '166?00SALARY?109310?20EREF+P-\r\n?217?22SVWZ+Invoice?30BANK?32A. PERSON', 'P-7'],
  ['in German form with other separators', '166>00X>20EREF+P-7SVWZ+Invoice', 'P-7'],
  ['in Dutch form', '/EREF/P-\r\n7/REMI/Invoice/of May/', 'P-7'],
  ['free text (the number is in field 61)', 'Invoice of May', 'C1'],
])('the order number of an entry is found if its field 86 is %s', async (_, text, orderNo) => {
  const { lines } = await read(':61:261101C1,NTRFC1', `:86:${text}`);
  expect(lines).toMatchObject([{ orderNo, channelRef: null }]);
});

test('two payments of one payer for one order differ only by the bank reference', async () => {
  const { lines } = await read(':61:261101C1,NTRFP1//B1', ':61:261101C1,NTRFP1//B2');
  expect(lines.map(({ channelRef, orderNo, bankRef }) => [channelRef, orderNo, bankRef])).toEqual([
    [null, 'P1', 'B1'],
    [null, 'P1', 'B2'],
  ]);
});

test.each([
  ['the day before', '261031', '261101', '2026-11-01'],
  ['the Friday before', '261030', '261102', '2026-10-31'],
  ['the last day of a year', '261231', '270101', '2027-01-01'],
  ['the closing day itself', '261101', '261101', '2026-11-01'],
])('an opening balance of %s makes the statement cover the days without entries', async (_, opening, closing, from) => {
  const content = [
    message(`:60F:C${opening}INR1,`, `:62M:C${closing}INR1,`),
    message(`:60M:C${closing}INR1,`, `:62F:C${closing}INR1,`),
  ].join('');
  const { summaries } = await readAll(format, content, india);
  expect(summaries).toMatchObject([{ from, to: `20${closing.replace(/(..)(..)(..)/, '$1-$2-$3')}` }]);
});

test('several messages of a statement are read as one, and a file may have several statements', async () => {
  const entry = ':61:261101C1,00NTRFX';
  const content = [
    message(':28C:1/1', ':60F:C261031INR100,', entry, ':62M:C261101INR101,'),
    message(':28C:1/2', ':60M:C261101INR101,', entry, ':62F:C261101INR102,'),
    `{1:F01BANK}{2:I940}{4:\r\n${statement(entry).replace('\r\n-\r\n', '\r\n-}{5:}\r\n')}`,
  ].join('');
  const { rows, summaries } = await readAll(format, content, india);
  expect(rows.map(({ kind }) => kind)).toEqual(['line', 'line', 'summary', 'line', 'summary']);
  expect(summaries).toMatchObject([{ opening: '100.00', closing: '102.00' }, { opening: '100.00' }]);
});

test('a text of a payer that looks like an envelope begins no field', async () => {
  const { lines, summaries } = await read(':61:261101C1,NTRFX', ':86:for {you}\r\n{1:}{4::61:261101C999,NTRFEVIL');
  expect(lines).toMatchObject([{ gross: '1.00', orderNo: 'X' }]);
  expect(summaries).toHaveLength(1);
});

test('the first field of a message may be in the line of its envelope', async () => {
  const content = statement(':61:261101C1,NTRFX').replace(':20:START', '{1:F01BANK}{2:I940}{4::20:START');
  expect((await readAll(format, content, india)).lines).toMatchObject([{ gross: '1.00' }]);
});

test.each([
  ['the amount has more than two decimals', ':61:261101C1,005NTRFX'],
  ['the date does not exist', ':61:260230C1,00NTRFX'],
  ['the date does not exist', ':61:2611010230C1,00NTRFX'],
  ['the entry is only expected', ':61:261101EC1,00NTRFX'],
  ['field 61 cannot be read', ':61:261101X1,00NTRFX'],
])('only the bad entry is set aside: %s', async (reason, entry) => {
  const { lines, unparsed } = await read(entry, ':86:of the bad entry', ':61:261101C7,NTRFX');
  expect(unparsed).toEqual([{ lineNo: 5, reason }]);
  expect(lines).toMatchObject([{ lineNo: 7, gross: '7.00' }]);
});

test('entries of another currency are set aside', async () => {
  const { unparsed } = await readAll(format, statement(':61:261101C1,NTRFX').replaceAll('INR', 'USD'), india);
  expect(unparsed).toEqual([{ lineNo: 5, reason: 'another currency' }]);
});

test.each([
  ['an empty file', '', 'other_format'],
  ['a CSV', 'Date;Amount\r\n1;2', 'other_format'],
  ['no closing balance', message(':60F:C261031INR100,', ':61:261101C1,NTRFX'), 'damaged'],
  [
    'a message in between missing',
    [message(':60F:C261031INR1,', ':62M:C261031INR2,'), message(':60M:C261031INR3,')].join(''),
    'damaged',
  ],
  ['the first message missing', message(':60M:C261031INR1,', ':62F:C261031INR1,'), 'damaged'],
  ['an entry before the balance', message(':61:261101C1,NTRFX'), 'damaged'],
  ['a balance that cannot be read', message(':60F:C261031INR1.5'), 'damaged'],
  ['two currencies', message(':60F:C261031INR1,', ':62F:C261031USD1,'), 'damaged'],
  ['a field of 70,000 characters', statement(`:86:${'x\r\n'.repeat(35_000)}`), 'too_large'],
])('the file is refused: %s', async (_, content, reason) => {
  await expect(readAll(format, content, india)).rejects.toMatchObject({ name: 'StatementUnreadable', reason });
});

const ours = 'PI0KQ3Z4M9XABCD0123456789AB';
const another = 'PI0KQ3Z4M9XABCD0123456789AC';

test('an entry without a type is read', async () => {
  const { lines, unparsed } = await read(':61:2611011101CR220000,00//19230001');
  expect(unparsed).toEqual([]);
  expect(lines).toMatchObject([{ gross: '220000.00', direction: 'in', orderNo: null, bankRef: '19230001' }]);
});

test.each([
  ['free text', ':61:2611011101C1,NTRF20261101//B1', `:86:IPS PAYMENT ${ours} THANKS`],
  [
    'free text that breaks within it',
    ':61:2611011101C1,NTRF20261101//B1',
    `:86:IPS ${ours.slice(0, 9)}\r\n${ours.slice(9)}`,
  ],
  ['free text that breaks before it', ':61:2611011101C1,NTRF20261101//B1', `:86:IPS PAYMENT\r\n${ours}`],
  ['the purpose', ':61:2611011101C1,NTRF//B1', `:86:/EREF/4711/REMI/${ours}`],
  ["the bank's reference", `:61:2611011101C1,NTRF4711//${ours}`, ':86:x'],
])('our order number is found in %s, before a number of the bank', async (_where, ...entry) => {
  expect((await read(...entry)).lines).toMatchObject([{ orderNo: ours }]);
});

test('an entry that names two of our orders is set aside, and one with no number of ours keeps its reference', async () => {
  const two = await read(`:61:2611011101C1,NTRF${ours}//B1`, `:86:and ${another}`);
  expect(two.unparsed).toMatchObject([{ reason: 'it names several orders' }]);
  const none = await read(':61:2611011101C1,NTRF4711//B1', `:86:${ours}7`);
  expect(none.lines).toMatchObject([{ orderNo: '4711' }]);
});

test.each([
  ['in the supplementary details', `:61:261101C1,NTRFNONREF\r\n${ours}`],
  ['that goes on in the supplementary details', `:61:261101C1,NTRF${ours.slice(0, 16)}\r\n${ours.slice(16)}`],
  ['after spaces around the amount', `:61:261101C 1, NTRF ${ours}`],
])('our order number is found %s of field 61', async (_where, entry) => {
  expect((await read(entry)).lines).toMatchObject([{ gross: '1.00', orderNo: ours }]);
});

test.each(['-}', '}'])('a closing balance may have the end of its message, %s, in its line', async (end) => {
  const content = statement(':61:261101C1,NTRFX').replace('INR50,5', `INR50,5${end}`);
  expect((await readAll(format, content, india)).summaries).toMatchObject([{ closing: '-50.50' }]);
});
