import { Readable } from 'node:stream';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { beforeEach, expect, test } from 'vitest';
import { unrestricted } from '../../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, by } from '../../testing/payouts.ts';
import {
  aLine,
  anImport,
  backdateLedger,
  dayAgo,
  noSummary,
  reconcileAll,
  statementText,
} from '../../testing/statements.ts';
import { setReconciliation } from '../days/set-reconciliation.ts';
import { loadStatements } from '../list-statements.ts';
import { importNextStatement } from './import-next-statement.ts';
import { importStatement } from './import-statement.ts';
import { purgeStatementContent } from './purge-content.ts';
import { receiveStatement } from './receive-statement.ts';

const country = 'PK';
const tenant = 'PLATFORM-PK';
const day = dayAgo(country, 2);
const currency = 'PKR';

let fixture: TestDomain;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  return () => fixture.close();
});

const line = (changes: Partial<Parameters<typeof aLine>[0]> = {}) => aLine({ currency, bookedOn: day, ...changes });

test('a file whose bytes are not those that were uploaded is refused, and nothing of it is stored', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const forged = statementText([line({ channelRef: 'FORGED', gross: '9000.00' })]);
  for (const change of [
    "update statement_chunk set content = convert_to($2, 'UTF8') where file_no = $1",
    "insert into statement_chunk (merchant_id, file_no, chunk_no, content) select merchant_id, file_no, 1, convert_to($2, 'UTF8') from statement_chunk where file_no = $1",
    "update statement_file set sha256 = encode(sha256(convert_to($2, 'UTF8')), 'hex') where file_no = $1",
  ]) {
    const fileNo = await anImport(domain, country, [line({ channelRef: change })]);
    await pool.query(change, [fileNo, forged]);
    await reconcileAll(domain);
    const [file] = await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]);
    expect(file, change).toMatchObject({
      state: 'refused',
      refusal: 'its bytes are not those that were uploaded: upload it again',
    });
  }
  expect((await pool.query('select from statement_line')).rowCount).toBe(0);
});

test('a file that contradicts itself, or has another account or format, is refused as a whole', async () => {
  const { domain } = fixture;
  const summary = {
    account: 'ACC',
    currency,
    from: day,
    to: day,
    opening: '0.00',
    closing: '100.00',
    lines: 1,
    totalIn: '100.00',
    totalOut: '0.00',
  };
  const refusalOf = async (rows: (object | string)[]) => {
    const fileNo = await anImport(domain, country, rows);
    await reconcileAll(domain);
    const [file] = await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]);
    return file?.state === 'refused' ? file.refusal : file?.state;
  };
  expect(await refusalOf([line(), summary])).toBe('imported');
  expect(await refusalOf([line(), { ...summary, closing: '100.01' }])).toContain('closes with 100.01');
  expect(await refusalOf([line(), { ...summary, totalIn: '99.00' }])).toContain('says that 99.00 came in');
  expect(await refusalOf([line(), { ...summary, lines: 2 }])).toContain('says that it has 2 lines');
  expect(await refusalOf([line(), { ...summary, account: 'OTHER' }])).toContain('another account');
  expect(await refusalOf([line(), { ...summary, currency: 'USD' }])).toContain('is in USD');
  expect(await refusalOf([line({ bookedOn: dayAgo(country, 9) })])).toContain('the reconciliation of this channel');
  expect(await refusalOf([...Array(1_001)].map(() => 'x'))).toContain('more than 1000 rows');
  const { rows } = await domain.database.pool.query('select count(*)::integer as count from statement_line');
  expect(rows).toEqual([{ count: 1 }]);
});

test('a file that cannot be stored is refused, and the next one is imported', async () => {
  const { domain } = fixture;
  const account = { currency: null, from: day, to: day, opening: null, closing: null, lines: null, totalIn: null };
  const bad = [
    await anImport(domain, country, [line(), { ...account, totalOut: null, account: '' }]),
    await anImport(domain, country, [...Array(2_000)].map(() => line()).concat(line({ occurredAt: 1e300 }))),
  ];
  const good = await anImport(domain, country, [line({ channelRef: 'G-1' })]);
  await reconcileAll(domain);
  const states = await loadStatements(
    domain,
    unrestricted,
    [...bad, good].map((fileNo) => ({ merchantId: tenant, fileNo })),
  );
  expect(states.map((file) => file?.refusal ?? file?.state)).toEqual([
    'has a summary whose account, count or amounts are none',
    'cannot be stored',
    'imported',
  ]);
  // Its first lines are stored, and never count.
  const request = { country, channelId: 'fake', fileNo: bad[1] ?? 0, format: 'json-lines' } as const;
  expect(await importStatement(domain, request, { actor: 'ann', approver: null, reason: 'again' })).toMatchObject({
    rejection: 'statement_not_waiting',
  });
});

test('a row of several parts is one row of the summary', async () => {
  const { domain } = fixture;
  const refund = line({ type: 'refund', direction: 'out', gross: '40.00', channelRef: 'R-1' });
  const back = line({ type: 'fee', gross: '0.24', channelRef: 'R-1' });
  const summary = { account: null, currency, from: day, to: day, opening: null, closing: null, totalOut: '40.00' };
  await anImport(domain, country, [line(), [refund, back], { ...summary, lines: 2, totalIn: '100.24' }]);
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query('select state, lines, refusal from statement_file');
  expect(rows).toEqual([{ state: 'imported', lines: 3, refusal: null }]);
});

test('the break of the first unreadable row has the amount of all unreadable rows', async () => {
  const { domain } = fixture;
  const summary = { account: null, currency, from: day, to: day, lines: 3, totalIn: null, totalOut: null };
  await anImport(domain, country, [line(), 'x', 'y', { ...summary, opening: '5.00', closing: '85.00' }]);
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query(
    "select amount::text as amount from reconciliation_break where kind = 'unparsed' order by line_no",
  );
  expect(rows).toEqual([{ amount: '-20.00' }, { amount: '0.00' }]);
});

test('a line in another currency is a break next to its order, and is in no sum', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country);
  const order = await placePayin(domain, merchantId, country, { channelId: 'fake' });
  const report = { type: 'applyReport', ref: order, channelId: 'fake', during: 'query' } as const;
  expect(await domain.commit({ ...report, answer: paid('C-1') })).toMatchObject({ ok: true });
  await backdateLedger(domain, 2);
  const foreign = line({ currency: 'USD', gross: '40.00', fee: '1.00', net: '39.00' });
  const summary = { ...noSummary, from: day, to: day, lines: 3, opening: '0.00', closing: '110.00' };
  const rows = [line({ gross: '7.00', channelRef: 'C-9' }), { ...foreign, channelRef: 'C-1' }, foreign, summary];
  const fileNo = await anImport(domain, country, rows);
  await reconcileAll(domain);
  const [file] = await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]);
  expect(file).toMatchObject({ state: 'imported', lines: 3, totalIn: '7.00' });
  const read = async (text: string) => (await domain.database.pool.query({ text, rowMode: 'array' })).rows;
  expect(
    await read(
      `select b.kind, b.amount::text, b.line_no, e.order_no from reconciliation_break b left join statement_expectation e
         on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no order by b.line_no nulls last`,
    ),
  ).toEqual([
    ['missing_in_ledger', '7.00', 1, null],
    ['currency', '-100.00', 2, order.orderNo],
    ['currency', '0.00', 3, null],
    ['currency', '103.00', null, null],
  ]);
  expect(await read(`select lines, statement_net::text from reconciliation_day where is_covered`)).toEqual([
    [3, '7.00'],
  ]);
});

test('an import that was interrupted continues after the last stored line', async () => {
  const { domain } = fixture;
  const rows = [...Array(4_500)].map((_, i) => line({ channelRef: `G-${i}` }));
  const fileNo = await anImport(domain, country, rows);
  let calls = 0;
  const isEnding = (): boolean => {
    calls += 1;
    return calls > rows.length + 1;
  };
  // A rest would ask too.
  const ended = await importNextStatement(domain, isEnding, () => 0);
  expect(ended).toBe('paused');
  const count = async () =>
    (await domain.database.pool.query('select count(*)::integer as count from statement_line')).rows[0]?.count;
  expect(await count()).toBe(4_000);
  expect(await importNextStatement(domain)).toBe('imported');
  expect(await count()).toBe(4_500);
  const [file] = await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]);
  expect(file).toMatchObject({ state: 'imported', lines: 4_500 });
});

test('a file that another session holds does not keep others waiting', async () => {
  const { domain } = fixture;
  const held = await anImport(domain, country, [line({ channelRef: 'H-1' })]);
  const free = await anImport(domain, country, [line({ channelRef: 'H-2' })]);
  const stateOf = async (fileNo: number) =>
    (await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]))[0]?.state;
  const other = await domain.database.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from statement_file where file_no = $1 for update', [held]);
    await reconcileAll(domain);
    expect([await stateOf(held), await stateOf(free)]).toEqual(['received', 'imported']);
  } finally {
    await other.query('rollback');
    other.release();
  }
  await reconcileAll(domain);
  expect(await stateOf(held)).toBe('imported');
});

test('the bytes of old statements are deleted, but not their hash and lines, and not the bytes of a file before its import', async () => {
  const { domain } = fixture;
  const fileNos = [await anImport(domain, country, [line()]), await anImport(domain, country, ['x', 'half'])];
  await reconcileAll(domain);
  fileNos.push(await anImport(domain, country, [line({ channelRef: 'W-1' })]));
  const { pool } = domain.database;
  await pool.query("update statement_file set uploaded_at = uploaded_at - interval '40 days' where file_no > 1");
  while (await purgeStatementContent(domain, { days: 31 }));
  const { rows } = await pool.query('select distinct file_no::integer as no from statement_chunk order by 1');
  expect(rows).toEqual([fileNos[0], fileNos[2]].map((no) => ({ no })));
  const keys = fileNos.map((fileNo) => ({ merchantId: tenant, fileNo }));
  const [first, old, waiting] = await loadStatements(domain, unrestricted, keys);
  expect([first?.contentDeletedAt, waiting?.contentDeletedAt]).toEqual([null, null]);
  expect(old).toMatchObject({ contentDeletedAt: expect.any(Number), sha256: expect.any(String), state: 'refused' });
  const request = { country, channelId: 'fake', fileNo: fileNos[1] ?? 0, format: 'json-lines' } as const;
  const by = { actor: 'ann', approver: null, reason: 'again' };
  expect(await importStatement(domain, request, by)).toMatchObject({
    detail: 'its content was deleted: upload it again',
  });
  await reconcileAll(domain);
  expect((await loadStatements(domain, unrestricted, keys))[2]).toMatchObject({ state: 'imported', lines: 1 });
});

test('an upload that is too large, empty or incomplete is not stored', async () => {
  const { domain } = fixture;
  const input = { tenant, name: 'x', uploadedBy: 'ann', largest: 10 };
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('cut off');
  }
  expect(await receiveStatement(domain, input, Readable.from([Buffer.alloc(11)]))).toEqual({
    ok: false,
    problem: 'too_large',
  });
  expect(await receiveStatement(domain, input, Readable.from([]))).toEqual({ ok: false, problem: 'empty' });
  await expect(receiveStatement(domain, input, broken())).rejects.toThrow('cut off');
  const { rows } = await domain.database.pool.query(
    'select (select count(*) from statement_file)::integer + (select count(*) from statement_chunk)::integer as "left"',
  );
  expect(rows).toEqual([{ left: 0 }]);
});

test('the first statement that names an account decides it, also of a channel that was set up before', async () => {
  const { domain } = fixture;
  await setReconciliation(domain, { country, channelId: 'fake', beginsOn: day }, by('ann', 'bob'));
  const shown = async (account: string, channelRef: string) => {
    const fileNo = await anImport(domain, country, [
      line({ channelRef }),
      { ...noSummary, account, from: day, to: day },
    ]);
    await reconcileAll(domain);
    const [file] = await loadStatements(domain, unrestricted, [{ merchantId: tenant, fileNo }]);
    return file?.refusal ?? file?.state;
  };
  expect(await shown('1234567890', 'A-1')).toBe('imported');
  expect(await shown('9876543210', 'A-2')).toBe('is about another account than that of this channel');
  expect(await shown('1234567890', 'A-3')).toBe('imported');
});
