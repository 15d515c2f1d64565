import iconv from 'iconv-lite';
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

test.each([
  ['DBIT', 'RCDT', 'DAJT', 'refund', 'out'],
  ['DBIT', 'RRCT', 'ESCT', 'refund', 'out'],
  ['CRDT', 'ICDT', 'CAJT', 'payout_return', 'in'],
  ['CRDT', 'IRCT', 'ESCT', 'payout_return', 'in'],
] as const)('a %s with the code %s %s takes the payment back', async (mark, family, sub, type, direction) => {
  const { lines } = await read(camtEntry({ amount: '150', mark, inside: code(family, sub) }));
  expect(lines).toMatchObject([{ type, direction, gross: '150.00' }]);
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
  ['CRDT', '<RvslInd>1</RvslInd>', 'in', 'payout_return'],
  ['CRDT', '<RvslInd>0</RvslInd>', 'in', 'unknown'],
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

test.each([
  ['2026-11-01T12:00:00', '2026-10-31'],
  ['2026-11-01T23:59:59', undefined],
  ['2026-11-02T00:00:00', undefined],
])('a period that ends at %s shows whole days up to %s', async (end, wholeTo) => {
  const xml = camtDocument([camtStatement([])]).replace('2026-11-02T00:00:00', end);
  const { summaries } = await readAll(format, xml, thailand);
  expect(summaries).toMatchObject([{ to: '2026-11-01' }]);
  expect(summaries[0]?.wholeTo).toBe(wholeTo);
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
  ['it has Amt twice', { amount: '1.00' }, '<Amt Ccy="EUR">9000.00</Amt>'],
  ['it has CdtDbtInd twice', { amount: '1.00' }, '<CdtDbtInd>DBIT</CdtDbtInd>'],
  ['AcctSvcrRef is longer than 128 characters', { amount: '1.00' }, `<AcctSvcrRef>${'x'.repeat(129)}</AcctSvcrRef>`],
])('only the bad entry is set aside: %s', async (reason, entry, inside) => {
  const { lines, unparsed } = await read(
    camtEntry({ ...entry, mark: 'CRDT', inside }),
    camtEntry({ amount: '7.00000', mark: 'CRDT' }),
  );
  expect([lines[0]?.gross, unparsed]).toEqual(['7.00', [{ lineNo: 1, reason }]]);
});

test.each(['PDNG', '<Cd>PDNG</Cd>', '<Prtry>expected</Prtry>'])(
  'an entry that is not booked is set aside: %s',
  async (status) => {
    const { unparsed } = await read(camtEntry({ amount: '1.00', mark: 'CRDT' }).replace('BOOK', status));
    expect(unparsed).toEqual([{ lineNo: 1, reason: 'the entry is not booked' }]);
  },
);

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

test.each([
  ['GB2312', 'gbk', '订单'],
  ['gb18030', 'gb18030', '订单'],
  ['TIS-620', 'tis-620', 'โอน'],
  ['ISO-8859-15', 'iso-8859-15', '€'],
])('a file in %s is read', async (name, encoding, word) => {
  const entry = camtEntry({ amount: '1', mark: 'CRDT', details: camtDetail(`${word}1`) });
  const xml = camtDocument([camtStatement([entry])]).replace('UTF-8', name);
  expect((await readAll(format, iconv.encode(xml, encoding), thailand)).lines).toMatchObject([{ orderNo: `${word}1` }]);
});

const charge = (value: string, currency = 'THB') => `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
const records = (...values: string[]) =>
  `<Chrgs>${values.map((one) => `<Rcrd>${charge(one)}</Rcrd>`).join('')}</Chrgs>`;

test.each([
  ['CRDT', '1474', records('20', '6'), ['1500.00', '26.00', '1474.00']],
  ['DBIT', '1526', `<Chrgs>${charge('20')}</Chrgs><Chrgs>${charge('6')}</Chrgs>`, ['1500.00', '26.00', '1526.00']],
  [
    'CRDT',
    '1474',
    '<Chrgs><TtlChrgsAndTaxAmt Ccy="THB">26</TtlChrgsAndTaxAmt></Chrgs>',
    ['1500.00', '26.00', '1474.00'],
  ],
  ['CRDT', '1500', records('26'), ['1500.00', '0.00', '1500.00']],
  ['CRDT', '1474', records('25'), ['1474.00', '0.00', '1474.00']],
  ['CRDT', '1474', `<Chrgs>${charge('26', 'USD')}</Chrgs>`, ['1474.00', '0.00', '1474.00']],
] as const)(
  'an entry %s of %s with charges is a payment and its fee if they add up',
  async (mark, amount, chrgs, is) => {
    const details = camtDetail('P1', `<AmtDtls><InstdAmt><Amt Ccy="THB">1500</Amt></InstdAmt></AmtDtls>${chrgs}`);
    const { lines } = await read(camtEntry({ amount, mark, details }));
    expect(lines.map(({ gross, fee, net }) => [gross, fee, net])).toEqual([is]);
  },
);

test('a batch less the charges of its transactions is read as one line for each transaction', async () => {
  const details = ['P1', 'P2'].map((no) => camtDetail(no, `${amount('100')}${records('4')}`)).join('');
  const { lines } = await read(camtEntry({ amount: '192', mark: 'CRDT', details }));
  expect(lines).toMatchObject([
    { part: 1, gross: '100.00', fee: '4.00', net: '96.00', orderNo: 'P1' },
    { part: 2, gross: '100.00', fee: '4.00', net: '96.00', orderNo: 'P2' },
  ]);
});

test.each([
  ['100.', '100.00'],
  ['+50.50', '50.50'],
  ['.5', '0.50'],
  ['7.10000', '7.10'],
])('the amount %s is %s', async (amount, gross) => {
  expect((await read(camtEntry({ amount, mark: 'CRDT' }))).lines).toMatchObject([{ gross }]);
});

test.each(['1,00', '1.005', '.', '', '1e2', '-'])('the amount "%s" is set aside', async (amount) => {
  expect((await read(camtEntry({ amount, mark: 'CRDT' }))).unparsed).toHaveLength(1);
});

test.each([
  [
    'in an envelope',
    (xml: string) =>
      xml.replace('<Document', '<BizMsgEnvlp><AppHdr><Fr><Id>B</Id></Fr></AppHdr><Document').concat('</BizMsgEnvlp>'),
  ],
  ['without a namespace', (xml: string) => xml.replace(/ xmlns="[^"]*"/, '')],
])('a statement %s is read', async (_how, change) => {
  expect((await readAll(format, change(good), thailand)).lines).toHaveLength(1);
});

test.each([
  ['BkToCstmrDbtCdtNtfctn', 'this is camt.054, a notification, not camt.053'],
  ['BkToCstmrAcctRpt', 'this is camt.052, a report within the day, not camt.053'],
  ['Other', 'this is another message, not camt.053'],
])('a file with %s says what it is', async (name, message) => {
  const other = good.replaceAll('BkToCstmrStmt', name).replace(/ xmlns="[^"]*"/, '');
  await expect(readAll(format, other, thailand)).rejects.toThrow(message);
});

test.each([
  ['the purpose', '', '<RmtInf><Ustrd>ORDER</Ustrd><Ustrd>PI0KQ3Z4M9XABCD0123456789AB</Ustrd></RmtInf>'],
  ['the text of the entry', '<AddtlNtryInf>IPS PI0KQ3Z4M9XABCD0123456789AB</AddtlNtryInf>', ''],
])('our order number is found in %s', async (_where, inside, detail) => {
  const entry = camtEntry({ amount: '1', mark: 'CRDT', inside, details: camtDetail('NOTPROVIDED', detail) });
  expect((await read(entry)).lines).toMatchObject([{ orderNo: 'PI0KQ3Z4M9XABCD0123456789AB' }]);
});

test.each([
  ['a zip file', 'PK\x03\x04', 'upload the statement in it'],
  ['a gzip file', '\x1f\x8b\x08', 'unpack it'],
  ['a PDF', '%PDF-1.7', 'another format'],
])('%s says what it is', async (_what, start, message) => {
  await expect(readAll(format, Buffer.from(`${start}xxxx`, 'latin1'), thailand)).rejects.toThrow(message);
});
