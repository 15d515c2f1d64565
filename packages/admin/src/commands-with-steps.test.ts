import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit, openFindings, setChannel } from '@tidegate/domain/admin';
import {
  aCsv,
  aFundedMerchant,
  aLine,
  anAccount,
  anImport,
  dayAgo,
  moveEntriesTo,
  reconcileAll,
  testKeys,
} from '@tidegate/domain/testing';
import { auditNew, auditSeals, writeNextExport } from '@tidegate/domain/worker';
import { adaptersFor } from '@tidegate/upstream';
import { fakes } from '@tidegate/upstream/fakes';
import { startSandboxUpstream } from '@tidegate/upstream/sandbox-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeByHand } from '../../domain/test/by-hand.ts';
import type { AdminFixture } from '../test/admin-fixture.ts';
import { COMMANDS_WITH_STEPS, type CommandTries, openTries } from '../test/command-tries.ts';
import { orders } from '../test/orders.ts';
import { cycles, payByFileAndChannel, settlementSteps } from '../test/settlement-tries.ts';
import { type Try, withBob } from '../test/tries.ts';

// Commands whose tries need steps between them, on one database. Each test leaves what the next ones need.

const limiter = { take: async () => true };
/** The real adapters declare what their credentials are for. */
const withAdapters = (domain: AdminFixture['domain']) => ({
  ...domain,
  adapters: adaptersFor({ environment: 'sandbox', allowCidrs: [], limiter }),
});

let fixture: AdminFixture;
let known: CommandTries['known'];
let tried: CommandTries['tried'];
let attempt: CommandTries['attempt'];
beforeAll(async () => {
  ({ fixture, known, tried, attempt } = await openTries());
  // A wallet without entries has no seal.
  known.IN = (await aFundedMerchant(fixture.domain, 'IN', '100.00')).merchantId;
});
afterAll(() => fixture.close());

test('the audit ends with 0, and with 1 after rows were tampered with', async () => {
  await attempt({ args: ['audit'], gives: { violations: [] } });
  const { pool } = fixture.domain.database;
  await changeByHand(pool, 'update wallet set available = available + 1 where merchant_id = $1', [known.PK]);
  const ran = await fixture.run(['audit', '--json']);
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.out).violations).toContainEqual(expect.objectContaining({ merchantId: known.PK }));
  expect((await fixture.run(['audit'])).out).toContain('Violations: ');
  expect((await audit(fixture.domain)).violations).not.toEqual([]);
  tried.badly.add('audit');
});

test('seals are verified and copied, and one that was changed ends with 1', async () => {
  const inTwoMonths = () => Date.now() + 62 * 24 * 60 * 60_000;
  expect(await auditSeals(fixture.domain, { forMs: 60_000, files: null, now: inTwoMonths })).toBe('finished');
  await attempt({ args: ['verify-seals', '--merchant', '$IN'], gives: { violations: [], checked: { seals: 1 } } });
  const folder = fixture.folder('seals');
  await attempt({ args: ['copy-seals', folder], gives: { same: 0, violations: [] } });
  const { pool } = fixture.domain.database;
  await pool.query('alter table period_seal disable trigger only_forward');
  await pool.query("update period_seal set signature = '' where merchant_id = $1", [known.IN]);
  for (const args of [['verify-seals'], ['copy-seals', folder]]) {
    const ran = await fixture.run([...args, '--json']);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.out).violations).toMatchObject([{ merchantId: known.IN }]);
    tried.badly.add(args[0] ?? '');
  }
});

test('a refund without an answer is ended by evidence about it', async () => {
  await orders(fixture, known, [['ended', 'IN', 'payin', '100.00']]);
  const ref = { merchantId: known.IN ?? '', orderNo: known.ended ?? '' };
  const report = { type: 'applyReport', ref, channelId: 'fake', during: 'callback' } as const;
  await fixture.domain.commit({ ...report, answer: { outcome: 'failed', reason: 'no' } });
  const payments = [{ reference: 'E1', amount: '100.00' }];
  await fixture.domain.commit({ ...report, answer: { outcome: 'paid', payments } });
  const by = { actor: 'ann', approver: null, reason: 'a test' };
  await fixture.domain.commit({ type: 'returnCase', ...ref, caseNo: 1, refundNo: 'RF1', by });
  const evidence = ['--outcome', 'failed', '--evidence', 'portal: no such refund'];
  const end = (refundNo: string): string[] => ['resolve-refund', '$IN', '1', '--refund-no', refundNo, ...evidence];
  await attempt({ args: end('RF0'), env: withBob, refused: /RF0|refund/ });
  await attempt({ args: end('RF1'), env: withBob, gives: { state: 'open' } });
});

test('money that left for an ended payout is charged to its merchant or written off, by two operators', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  known.charged = merchantId;
  await orders(fixture, known, [['again', 'charged', 'payout', '100.00']]);
  const ref = { merchantId, orderNo: known.again ?? '' };
  const report = { type: 'applyReport', ref, channelId: 'fake', during: 'callback' } as const;
  await fixture.domain.commit({ ...report, answer: { outcome: 'failed', reason: 'no' } });
  const payments = ['A1', 'A2'].map((reference) => ({ reference, amount: '100.00' }));
  await fixture.domain.commit({ ...report, answer: { outcome: 'paid', payments } });
  await attempt({ args: ['charge-case', '$charged', '1'], env: withBob, gives: { state: 'charged' } });
  await attempt({ args: ['charge-case', '$charged', '1'], env: withBob, refused: /was decided already/ });
  await attempt({ args: ['write-off-case', '$charged', '2'], waits: true, gives: { subject: 'case 2' } });
  await attempt({ args: ['write-off-case', '$charged', '2'], env: withBob, refused: /waits .*Write off/ });
  const approve = ['approve', known.approval ?? ''];
  const approved = await fixture.run(approve, { env: { TIDEGATE_OPERATOR_TOKEN: fixture.tokens.bob } });
  expect(approved).toMatchObject({ code: 0 });
  await attempt({ args: ['write-off-case', '$charged', '9'], refused: /no such case/ });
});

test('a CSV profile is tried on a file, set by two operators, and proposed from then on', async () => {
  const day = dayAgo('IN', 2).split('-').reverse().join('.');
  const file = fixture.file(
    'bank.csv',
    aCsv([
      [day, '1,00', 'R1', 'transfer'],
      [day, '1,005', 'R2', 'transfer'],
    ]),
  );
  const profile = {
    name: 'bank',
    version: 9,
    encoding: 'utf-8',
    delimiter: ';',
    preambleRows: 1,
    trailerRows: 0,
    decimalSign: ',',
    dateFormat: 'dd.MM.yyyy',
    columns: { date: 'Date', gross: 'Amount', bankRef: 'Reference', type: 'Type' },
    direction: { by: 'sign' },
    types: { transfer: { type: 'payin' } },
  };
  const good = fixture.file('bank.json', JSON.stringify(profile));
  const bad = fixture.file('bad.json', JSON.stringify({ ...profile, columns: { date: 'Date' } }));
  const see = ['preview-statement', file, '--country', 'IN'];
  await attempt({ args: see, refused: /no format that is known here: give --format/ });
  await attempt({
    args: [...see, '--profile-file', good],
    gives: {
      lines: 1,
      refusal: null,
      rows: [expect.objectContaining({ gross: '1.00', type: 'payin' })],
      setAside: [{ lineNo: 4, reason: 'gross has more than two decimals' }],
    },
  });
  await attempt({ args: [...see, '--profile-file', bad], refused: /columns.gross/ });
  await attempt({ args: [...see, '--profile-file', file], refused: /not JSON/ });
  await attempt({ args: ['set-csv-profile', '--file', bad], refused: /columns.gross/ });
  await attempt({ args: ['set-csv-profile', '--file', good], env: withBob, gives: { name: 'bank', version: 1 } });
  await attempt({ args: ['set-csv-profile', '--file', good], waits: true, gives: { subject: 'csv:bank' } });
  await attempt({
    args: ['list-csv-profiles'],
    gives: [
      expect.objectContaining({ name: 'bank', version: 1, format: 'csv:bank', createdBy: 'alice', approvedBy: 'bob' }),
    ],
  });
  await attempt({ args: ['list-csv-profiles', 'bank'], usage: /too many arguments/ });
  await attempt({ args: see, gives: { lines: 1, refusal: null } });
  const send = ['import-statement', file, '--channel', 'fake', '--country', 'IN'];
  await attempt({ args: send, refused: /it can be csv:bank. Nothing was imported/ });
  await attempt({ args: [...send, '--format', 'csv:bank'], gives: { state: 'received', format: 'csv:bank' } });
});

test('a bank statement is imported, its break is resolved, and its day is closed and reopened', async () => {
  const { domain } = fixture;
  const day = dayAgo('TH', 2);
  const line = aLine({ currency: 'THB', bookedOn: day, type: 'fee', direction: 'out', gross: '1.00' });
  const fileNo = await anImport(domain, 'TH', [line], 'fake', null);
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query<{ sha256: string }>(
    'select sha256 from statement_file where file_no = $1',
    [fileNo],
  );
  const confirm = (no: number) => ['confirm-statement', `${no}`, '--country', 'TH', '--sha256', rows[0]?.sha256 ?? ''];
  await attempt({ args: confirm(999), refused: /no such statement/ });
  await attempt({
    args: confirm(fileNo),
    env: { TIDEGATE_OPERATOR_TOKEN: '$bob' },
    gives: { fileNo, uploadedBy: 'ann', confirmedBy: 'bob' },
  });
  known.statement = fixture.file('day.mt940', 'bytes');
  const send = ['import-statement', '$statement', '--channel', 'fake', '--country', 'IN', '--format'];
  await attempt({ args: [...send, 'mt940'], gives: { state: 'received', channel: 'fake' } });
  await attempt({ args: [...send, 'none-such'], refused: /no such statement format/ });
  const close = { args: ['close-day', 'fake', day, '--country', 'TH'], env: withBob };
  await attempt({ ...close, refused: /cannot be closed yet/ });
  const end = { args: ['resolve-break', '1', '--country', 'TH', '--outcome', 'written_off'], env: withBob };
  await attempt({ ...end, gives: { state: 'written_off', amount: '-1.00' } });
  await attempt({ ...end, refused: /has already ended/ });
  await attempt({ ...close, gives: { channelId: 'fake', day } });
  const reopen = ['reopen-day', 'fake', day, '--country', 'TH'];
  await attempt({ args: reopen, gives: { day } });
  await attempt({ args: reopen, refused: /is not closed/ });
  const set = (channel: string): string[] => ['set-reconciliation', channel, '--country', 'TH', '--tolerance', '0.05'];
  await attempt({ args: set('fake'), env: withBob, gives: { tolerance: '0.05', beginsOn: day } });
  await attempt({ args: set('nowhere'), env: withBob, refused: /no such channel/ });
  const fetchDay = { args: ['fetch-statement', 'fake', day, '--country', 'TH'] };
  await attempt({ ...fetchDay, refused: /offers no statements/ });
  const provider = fakes.find((one) => one.provider === 'razorpay');
  const { credentials = {} } = provider?.makeAccount() ?? {};
  const [channelId, baseUrl] = ['rzp', 'https://api.razorpay.com'];
  await setChannel(withAdapters(domain), {
    channelId,
    adapter: 'razorpay',
    baseUrl,
    credentials: { ...credentials, accountNumber: '' },
  });
  const begin = ['set-reconciliation', 'rzp', '--country', 'IN', '--begins-on', day, '--fetch', 'on'];
  await attempt({ args: begin, env: withBob, gives: { fetches: true } });
  const fetched = { channelId: 'rzp', day, formats: 'razorpay-recon' };
  await attempt({ args: ['fetch-statement', 'rzp', day, '--country', 'IN'], gives: fetched });
});

test('a merchant is settled', async () => {
  known.settled = (await aFundedMerchant(fixture.domain, 'PK', '500.00')).merchantId;
  await moveEntriesTo(fixture.domain, known.settled, '2026-11-10T05:00:00Z');
  const account = fixture.file('account.json', JSON.stringify(anAccount));
  for (const one of cycles(account)) await attempt(one);
  const { rows } = await fixture.domain.database.pool.query('select settlement_no as no from settlement');
  for (const one of settlementSteps(rows[0].no)) await attempt(one);
  await payByFileAndChannel(fixture, account, { attempt, known });
});

test('an export is requested, written by the worker, and saved to a new file', async () => {
  const request = ['request-export', 'orders', '--merchant', '$IN'];
  await attempt({ args: request, gives: { kind: 'orders', format: 'csv', state: 'waiting' } });
  await attempt({ args: ['request-export', 'wallet-statement', '--merchant', '$IN'], refused: /firstDay/ });
  const { rows } = await fixture.domain.database.pool.query<{ id: string }>('select export_id as id from data_export');
  known.export = rows[0]?.id ?? '';
  known.saved = fixture.path('orders.csv');
  const save = ['save-export', '$export', '$saved'];
  await attempt({ args: save, refused: /has no file/ });
  expect(await writeNextExport(fixture.domain)).toBe('ready');
  await attempt({ args: save, gives: { state: 'ready', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect(readFileSync(known.saved, 'utf8')).toContain(`,${known.IN},`);
  await attempt({ args: save, refused: /it exists already/ });
});

test('a channel is checked, and a callback is explained without any change', async () => {
  const upstream = await startSandboxUpstream({ port: 0, stateFile: fixture.path('upstream.jsonl'), secret: 'right' });
  for (const [channelId, secret] of [
    ['probe', 'right'],
    ['wrong-secret', 'wrong'],
    ['no-secret', ''],
  ] as const)
    await setChannel(withAdapters(fixture.domain), {
      channelId,
      adapter: 'sandbox',
      baseUrl: upstream.url,
      credentials: { secret },
    });
  const env = { PUBLIC_BASE_URL: 'https://pay.example' };
  const check = (step: string, ok: boolean) => expect.objectContaining({ check: step, ok });
  const allWell = ['reach', 'credentials', 'clock', 'callback'].map((step) => check(step, true));
  await attempt({ args: ['check-channel', 'probe'], env, gives: allWell });
  const unreachable = await fixture.run(['check-channel', 'probe', '--json'], {
    env: { PUBLIC_BASE_URL: 'https://172.16.0.1' },
  });
  expect(JSON.parse(unreachable.out)).toContainEqual(check('callback', false));
  await attempt({ args: ['check-channel', 'nowhere'], refused: /no channel nowhere/ });
  for (const channelId of ['wrong-secret', 'no-secret']) {
    const ran = await fixture.run(['check-channel', channelId, '--json'], { env });
    expect([ran.code, JSON.parse(ran.out)]).toEqual([1, expect.arrayContaining([check('credentials', false)])]);
  }
  await upstream.close();

  const body = fixture.file('callback.body', JSON.stringify({ order: 'forged' }));
  const headers = fixture.file('callback.headers', 'X-Sandbox-Timestamp: 1700000000\nX-Sandbox-Signature: 00\nnoise');
  const files = ['--headers', headers, '--body', body];
  const { pool } = fixture.domain.database;
  const before = await pool.query('select count(*) from ledger_batch');
  await attempt({
    args: ['examine-callback', '--channel', 'probe', ...files],
    gives: { result: 'refused', effect: 'none: it is refused as unauthentic', orderStatus: null },
  });
  expect((await pool.query('select count(*) from ledger_batch')).rows).toEqual(before.rows);
  await attempt({ args: ['examine-callback', '--channel', 'nowhere', ...files], refused: /no channel nowhere/ });
});

test('findings of the continuous audit are listed, and closed with a reason', async () => {
  await attempt({ args: ['list-findings', '--limit', '0'], usage: /1 to 1000/ });
  await auditNew(fixture.domain, 60_000);
  const rule = 'a balance is the sum of its transfers';
  const found = {
    rule,
    merchantId: known.PK,
    subject: 'available',
    detail: '1.00 more than its transfers',
    state: 'open',
  };
  await attempt({ args: ['list-findings'], gives: expect.arrayContaining([expect.objectContaining(found)]) });
  const finding = (await openFindings(fixture.domain, 10)).find((one) => one.rule === rule);
  known.finding = String(finding?.findingNo);
  const close = ['close-finding', '$PK', '$finding', '--outcome'];
  await attempt({ args: [...close, 'ignored'], usage: /repaired or accepted/ });
  await attempt({ args: [...close, 'accepted'], waits: true, gives: { operation: 'closeFinding' } });
  await attempt({ args: [...close, 'repaired'], gives: { state: 'repaired' } });
  await attempt({ args: [...close, 'repaired'], refused: /closed already/ });
  await attempt({ args: ['close-finding', '$PK', '999', '--outcome', 'repaired'], refused: /no such finding/ });
});

test('payouts that a finding has stopped are released by two operators, once it is closed', async () => {
  const { rows } = await fixture.domain.database.pool.query<{ no: number }>(
    `insert into audit_finding (merchant_id, rule, subject, detail) values ($1, 'a rule', 'a subject', '') returning finding_no::integer as no`,
    [known.IN],
  );
  known.finding = String(rows[0]?.no);
  const release: Try = { args: ['release-payouts', '$IN'], env: withBob };
  await attempt({ ...release, refused: /finding/ });
  await attempt({ args: ['close-finding', '$IN', '$finding', '--outcome', 'repaired'], gives: { state: 'repaired' } });
  await attempt({ ...release, gives: {} });
});

test('money of a channel that was a test account is withheld, and released by two operators', async () => {
  await attempt({ args: ['withdraw-declaration', 'nowhere'], refused: /no such channel/ });
  const declaration = { mode: 'live', by: 'alice', approver: 'bob', evidence: 'the contract of the account' } as const;
  await setChannel(fixture.domain, { channelId: 'by-hand', adapter: 'market', declaration });
  await attempt({ args: ['withdraw-declaration', 'by-hand'], gives: {} });
  await fixture.domain.database.pool.query(
    `with held as (insert into withheld_money (merchant_id, channel_id, amount) values ($1, 'fake', 5) returning merchant_id)
       update wallet w set withheld = w.withheld + 5 from held where w.merchant_id = held.merchant_id`,
    [known.IN],
  );
  const release = ['release-withheld', '$IN', 'fake', '--amount'];
  await attempt({ args: [...release, '9.00'], env: withBob, refused: /more than is withheld/ });
  await attempt({ args: [...release, '1.00'], env: withBob, gives: {} });
});

test('the change of a key begins in the folder that has all keys, and nowhere else', async () => {
  known.keys = fixture.folder('keys');
  await attempt({ args: ['change-secret', '$keys'], refused: /has no file keys-admin/ });
  writeFileSync(join(known.keys, 'keys-admin'), testKeys);
  await attempt({ args: ['change-secret', '$keys'], gives: { step: 'add' } });
});

test('every command of this file was run once with success and once with a refusal', () => {
  expect([...tried.well].sort()).toEqual(COMMANDS_WITH_STEPS.toSorted());
  expect([...tried.badly].sort()).toEqual(COMMANDS_WITH_STEPS.toSorted());
});
