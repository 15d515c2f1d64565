import { expect, test } from 'vitest';
import { camtDetail, camtDocument, camtEntry, camtStatement } from '../testing/camt053.ts';
import { formatOf, inPieces, readAll } from '../testing/read-all.ts';

const format = formatOf('camt.053');
const thailand = { currency: 'THB', timeZone: 'Asia/Bangkok' };
const read = (...entries: string[]) => readAll(format, camtDocument([camtStatement(entries)]), thailand);
const code = (family: string, sub: string, domain = 'PMNT') =>
  `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>`;

test('an entry is read as a line, with the references of its only transaction', async () => {
  const details = camtDetail('P1', '<AmtDtls><InstdAmt><Amt Ccy="USD">1.00</Amt></InstdAmt></AmtDtls>');
  const inside = `<AcctSvcrRef>B1</AcctSvcrRef>${code('RCDT', 'ESCT')}`;
  const { lines, summaries, unparsed } = await read(camtEntry({ amount: '150', mark: 'CRDT', inside, details }));
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    {
      lineNo: 1,
      part: 0,
      type: 'payin',
      direction: 'in',
      gross: '150.00',
      fee: '0.00',
      tax: '0.00',
      net: '150.00',
      currency: 'THB',
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
      account: 'TH1',
      currency: 'THB',
      from: '2026-11-01',
      to: '2026-11-01',
      opening: '-100.00',
      closing: '50.00',
      lines: 1,
      totalIn: null,
      totalOut: null,
    },
  ]);
});

const amount = (value: string, currency = 'THB') => `<Amt Ccy="${currency}">${value}</Amt>`;

test('a batch is read as one line for each transaction if their sum equals the batch', async () => {
  const details = [camtDetail('P1', amount('1.00')), camtDetail('P2', `${amount('3.00')}`)];
  const less = camtDetail('P3', `${amount('0.50')}<CdtDbtInd>DBIT</CdtDbtInd>`);
  const batch = '<Btch><PmtInfId>S1</PmtInfId></Btch>';
  const { lines } = await read(
    camtEntry({ amount: '3.50', mark: 'CRDT', details: [batch, ...details, less].join('') }),
  );
  expect(lines).toMatchObject([
    { lineNo: 1, part: 1, gross: '1.00', orderNo: 'P1', settlementRef: 'S1', direction: 'in' },
    { lineNo: 1, part: 2, gross: '3.00', orderNo: 'P2' },
    { lineNo: 1, part: 3, gross: '0.50', orderNo: 'P3', direction: 'out' },
  ]);
});

test.each([
  ['do not add up', [camtDetail('P1', amount('1.00')), camtDetail('P2', amount('2.00'))]],
  ['have no amount', [camtDetail('P1', amount('3.50')), camtDetail('P2')]],
  ['are in another currency', [camtDetail('P1', amount('1.00', 'USD')), camtDetail('P2', amount('2.50', 'USD'))]],
])('a batch whose transactions %s is read as one line', async (_, details) => {
  const { lines } = await read(camtEntry({ amount: '3.50', mark: 'CRDT', details: details.join('') }));
  expect(lines).toMatchObject([{ part: 0, gross: '3.50', orderNo: null }]);
});

test.each([
  ['CRDT', '<RvslInd>true</RvslInd>', 'in', 'payout_return'],
  ['DBIT', '<RvslInd>true</RvslInd>', 'out', 'refund'],
  ['CRDT', code('ICDT', 'RRTN'), 'in', 'payout_return'],
  ['DBIT', code('ICDT', 'ESCT'), 'out', 'payout'],
  ['DBIT', code('MDOP', 'CHRG', 'ACMT'), 'out', 'fee'],
  ['CRDT', '<BkTxCd><Prtry><Cd>544</Cd></Prtry></BkTxCd>', 'in', 'unknown'],
] as const)('an entry %s with the code %s goes %s and is a %s', async (mark, inside, direction, type) => {
  const { lines } = await read(camtEntry({ amount: '1.00', mark, inside }));
  expect(lines).toMatchObject([{ direction, type }]);
});

test.each([
  ['OPBD', '2026-10-30', '2026-10-30'],
  ['PRCD', '2026-10-30', '2026-10-31'],
  ['PRCD', '2026-11-01', '2026-11-01'],
])('without a period, a balance %s of %s begins a statement on %s', async (balance, day, from) => {
  const xml = camtDocument([camtStatement([])])
    .replace(/<FrToDt>.*<\/FrToDt>/, '')
    .replace(/OPBD(.*?<Dt><Dt>)2026-11-01/s, `${balance}$1${day}`);
  const { summaries } = await readAll(format, xml, thailand);
  expect(summaries).toMatchObject([{ from, to: '2026-11-01', opening: '-100.00' }]);
});

test('each of several statements has its summary', async () => {
  const entry = camtEntry({ amount: '1.00', mark: 'CRDT' });
  const statements = [camtStatement([entry]), camtStatement([entry, entry], { account: 'TH2' })];
  const { rows, summaries } = await readAll(format, camtDocument(statements), thailand);
  expect(summaries.map(({ account, lines }) => [account, lines])).toEqual([
    ['TH1', 1],
    ['TH2', 2],
  ]);
  expect(rows.map(({ kind }) => kind)).toEqual(['line', 'summary', 'line', 'line', 'summary']);
});

test('version 08, prefixes, a status as code and a date with a time are read', async () => {
  const entry = camtEntry({ amount: '1.00', mark: 'CRDT' })
    .replace('<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>')
    .replace('<Dt>2026-11-01</Dt>', '<DtTm>2026-11-01T23:30:00.5+07:00</DtTm>');
  const xml = camtDocument([camtStatement([entry])], '08')
    .replaceAll(/<(\/?)([A-Z])/g, '<$1c:$2')
    .replace('xmlns=', 'xmlns:c=');
  const { lines } = await readAll(format, inPieces(Buffer.from(xml), 5), thailand);
  const occurredAt = Date.parse('2026-11-01T23:30:00.5+07:00');
  expect(lines).toMatchObject([{ bookedOn: '2026-11-01', occurredAt }]);
});

test.each([
  ['the amount has more than two decimals', { amount: '1.005' }, ''],
  ['the date does not exist', { amount: '1.00', day: '2026-02-29' }, ''],
  ['AcctSvcrRef is longer than 128 characters', { amount: '1.00' }, `<AcctSvcrRef>${'x'.repeat(129)}</AcctSvcrRef>`],
])('only the bad entry is set aside: %s', async (reason, entry, inside) => {
  const { lines, unparsed } = await read(
    camtEntry({ ...entry, mark: 'CRDT', inside }),
    camtEntry({ amount: '7.00000', mark: 'CRDT' }),
  );
  expect([lines[0]?.gross, unparsed]).toEqual(['7.00', [{ lineNo: 1, reason }]]);
});

test('an entry that is not booked is set aside', async () => {
  const { unparsed } = await read(camtEntry({ amount: '1.00', mark: 'CRDT' }).replace('BOOK', 'PDNG'));
  expect(unparsed).toEqual([{ lineNo: 1, reason: 'the entry is not booked' }]);
});

const good = camtDocument([camtStatement([camtEntry({ amount: '1.00', mark: 'CRDT' })])]);
const declared = (encoding: string) => good.replace('UTF-8', encoding);

test.each([
  [
    'entities that expand without end',
    good.replace('<Document', '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><Document'),
    'other_format',
  ],
  ['an entity that is not declared', good.replace('<MsgId>1', '<MsgId>&a;'), 'damaged'],
  ['a file that breaks off', good.slice(0, -60), 'damaged'],
  ['a NUL', good.replace('<MsgId>1', '<MsgId>\u0000'), 'damaged'],
  ['a file that is not XML', 'Amount;Date', 'damaged'],
  ['camt.054', good.replace('camt.053', 'camt.054'), 'other_format'],
  ['version 01', camtDocument([], '01'), 'other_format'],
  ['no statement', camtDocument([]), 'other_format'],
  ['an encoding that is not known', declared('EBCDIC-CP-BE'), 'other_format'],
  ['a balance that cannot be read', good.replace('>100.00<', '>1OO<'), 'damaged'],
  ['a text of 100,000 characters', good.replace('<Sts>', `<Sts>${'x'.repeat(100_000)}`), 'too_large'],
  ['an attribute of 100,000 characters', good.replace('<Sts>', `<Sts a="${'x'.repeat(100_000)}">`), 'too_large'],
  ['60 nested elements', good.replace('<Sts>', '<a>'.repeat(60)), 'damaged'],
])('the file is refused: %s', async (_, xml, reason) => {
  await expect(readAll(format, xml, thailand)).rejects.toMatchObject({ name: 'StatementUnreadable', reason });
});

test('ISO 8859-1 and UTF-16 are read', async () => {
  for (const bytes of [Buffer.from(declared('ISO-8859-1'), 'latin1'), Buffer.from(`\ufeff${good}`, 'utf16le')])
    expect((await readAll(format, bytes, thailand)).lines).toHaveLength(1);
});
