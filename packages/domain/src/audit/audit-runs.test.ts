import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeByHand } from '../../test/by-hand.ts';
import type { Log } from '../core/log.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { by } from '../testing/payouts.ts';
import { audit } from './audit.ts';
import { auditNew } from './audit-new.ts';
import { auditSeals } from './audit-seals.ts';
import { readAuditState } from './audit-state.ts';
import { auditWhole } from './audit-whole.ts';
import { closeFinding } from './close-finding.ts';
import { openFindings } from './open-findings.ts';

const minute = 60_000;
let url: string;
let fixture: TestDomain;
let other: TestDomain;
let merchantId: string;
const errors: { fields: object; message: string }[] = [];

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  fixture = await openTestDomain(url);
  other = await openTestDomain(url);
  errors.length = 0;
  const log: Log = { ...fixture.domain.log, error: (fields, message) => void errors.push({ fields, message }) };
  fixture.domain.log = log;
  other.domain.log = log;
  ({ merchantId } = await aMerchant(fixture.domain, 'TH'));
  await fixture.domain.commit(aTopUp(merchantId, 'B-1', '50.00'));
});
afterEach(() => Promise.all([fixture.close(), other.close()]));

const queryDatabase = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(sql, values)).rows;
const available = (change: string) =>
  changeByHand(fixture.domain.database.pool, 'update wallet set available = available + $2 where merchant_id = $1', [
    merchantId,
    change,
  ]);
const openOnes = () => openFindings(fixture.domain, 100);
const sums = 'a balance is the sum of its transfers';
async function findingOf(rule: string) {
  const finding = (await openOnes()).find((one) => one.rule === rule);
  if (!finding) throw new Error(`nothing was found of: ${rule}`);
  return finding;
}
const auditAll = async (): Promise<void> => {
  await auditNew(fixture.domain, minute);
  await queryDatabase("update audit_run set finished_at = null where run = 'whole'");
  expect(await auditWhole(fixture.domain, minute)).toBe('finished');
};

test('a violation is one finding and one logged error, however often it is found', async () => {
  await auditAll();
  expect(errors).toEqual([]);
  await available('7.77');
  await auditAll();
  await auditAll();
  const found = await openOnes();
  expect(found.map(({ rule, subject }) => `${rule} ${subject}`.trim()).toSorted()).toEqual([
    'a balance is the sum of its transfers available',
    'a balance is what the last entry left',
  ]);
  expect(errors.map(({ message }) => message)).toEqual(['the ledger breaks a rule', 'the ledger breaks a rule']);
  expect(errors.map(({ fields }) => fields)).toContainEqual({
    merchantId,
    rule: sums,
    subject: 'available',
    findingNo: expect.any(Number),
  });
  expect(JSON.stringify(errors)).not.toContain('7.77');
  expect(found.every(({ foundAt, lastFoundAt }) => lastFoundAt > foundAt)).toBe(true);
  const { open } = await readAuditState(other.domain);
  expect(open).toContainEqual({ rule: sums, count: 1 });
  expect(open).toContainEqual({ rule: 'ledger batches match their hashes', count: 0 });
});

test('later orders of the merchant do not report the same violation again', async () => {
  await available('7.77');
  await auditNew(fixture.domain, minute);
  const before = await findingOf(sums);
  const order = await placePayin(fixture.domain, merchantId, 'TH');
  await fixture.domain.commit(aReport(order, paid()));
  await auditNew(fixture.domain, minute);
  expect(await findingOf(sums)).toEqual({ ...before, lastFoundAt: expect.any(Number) });
  // The ledger writer went on from the balance as it was: that entry does not begin where the previous one ended.
  expect((await openOnes()).map(({ rule, subject }) => `${rule} ${subject}`.trim()).toSorted()).toEqual([
    `${sums} available`,
    'a balance is what the last entry left',
    'entries are numbered without gaps and chain entry 2',
  ]);
});

test('a finding that was closed as repaired is reported again only if the violation still exists', async () => {
  await available('7.77');
  await auditAll();
  const { findingNo } = await findingOf(sums);
  const closing = { merchantId, findingNo, outcome: 'repaired' } as const;
  const closed = await closeFinding(fixture.domain, closing, by('ann'));
  expect(closed).toMatchObject({ ok: true, value: { state: 'repaired', closedAt: expect.any(Number) } });
  expect(await closeFinding(fixture.domain, closing, by('ann'))).toEqual({ ok: false, rejection: 'finding_closed' });
  await auditAll();
  const again = await findingOf(sums);
  expect(again.findingNo).not.toBe(findingNo);
  await available('-7.77');
  await closeFinding(fixture.domain, { ...closing, findingNo: again.findingNo }, by('ann'));
  await auditAll();
  expect((await openOnes()).map(({ rule }) => rule)).toEqual(['a balance is what the last entry left']);
  const records = await queryDatabase<{ actor: string; subject: string; reason: string; detail: string }>(
    "select actor, subject, reason, detail from audit_record where merchant_id = $1 and detail like '%closeFinding%'",
    [merchantId],
  );
  expect(records).toMatchObject([
    { actor: 'ann', subject: `finding ${findingNo}`, reason: 'a test' },
    { actor: 'ann', subject: `finding ${again.findingNo}` },
  ]);
});

test('a finding that two operators accepted is not reported again while it stays the same', async () => {
  await available('7.77');
  await auditAll();
  const { findingNo } = await findingOf(sums);
  const closing = { merchantId, findingNo, outcome: 'accepted' } as const;
  for (const alone of [by('ann'), by('ann', 'ann')])
    expect(await closeFinding(fixture.domain, closing, alone)).toEqual({
      ok: false,
      rejection: 'second_operator_needed',
    });
  expect(await closeFinding(fixture.domain, closing, by('ann', 'bob'))).toMatchObject({ ok: true });
  await fixture.domain.commit(aTopUp(merchantId, 'B-2', '1.00'));
  await auditAll();
  expect((await openOnes()).map(({ rule }) => rule)).not.toContain(sums);
  await available('1.00');
  await auditAll();
  expect(await findingOf(sums)).toMatchObject({ detail: '8.77 more than its transfers' });
});

test('an unknown finding cannot be closed, and findings are never deleted', async () => {
  const missing = { merchantId, findingNo: 99, outcome: 'repaired' } as const;
  expect(await closeFinding(fixture.domain, missing, by('ann'))).toEqual({ ok: false, rejection: 'finding_not_found' });
  await available('7.77');
  await auditAll();
  await expect(queryDatabase('delete from audit_finding')).rejects.toThrow(/append-only/);
});

test('if a rule has many violations, only a few hundred are stored as findings', async () => {
  await Promise.all(
    Array.from({ length: 2_500 }, () => placePayin(fixture.domain, merchantId, 'TH', { notifyUrl: null })),
  );
  await changeByHand(
    fixture.domain.database.pool,
    "update orders set notify_url = 'https://shop.test/n', paid_amount = 1 where merchant_id = $1",
    [merchantId],
  );
  await queryDatabase('alter table order_transition disable trigger append_only');
  await queryDatabase('update order_transition set "to" = \'processing\' where merchant_id = $1', [merchantId]);
  for (let i = 0; i < 3; i++) await auditAll();
  const rule = 'the transitions of an order lead from one to the next, and to its status';
  const [count] = await queryDatabase<{ count: number }>(
    'select count(*)::integer as count from audit_finding where rule = $1',
    [rule],
  );
  expect(count?.count).toBeGreaterThanOrEqual(100);
  expect(count?.count).toBeLessThanOrEqual(200);
  expect((await audit(fixture.domain)).violations.filter((one) => one.rule === rule)).toHaveLength(100);
});

const history = 'the transitions of an order lead from one to the next, and to its status';
const addTransition = `insert into order_transition (merchant_id, order_no, seq, "from", "to", trigger, actor, at, batch_no)
  values ($1, $2, 9, 'created', 'failed', 'channel_failed', 'eve', clock_timestamp(), 1)`;

test('the audit also checks a transition that was committed late, with an earlier time', async () => {
  const { orderNo } = await placePayin(fixture.domain, merchantId, 'TH');
  const late = await fixture.domain.database.pool.connect();
  await late.query('begin');
  await late.query(addTransition, [merchantId, orderNo]);
  // Another order goes on meanwhile, and is audited.
  await placePayin(other.domain, merchantId, 'TH');
  expect(await auditNew(other.domain, minute)).toBe('finished');
  expect(await openOnes()).toEqual([]);
  await late.query('commit');
  late.release();
  await auditNew(other.domain, minute);
  expect(await openOnes()).toContainEqual(expect.objectContaining({ rule: history, subject: orderNo }));
});

test('all orders are checked even if one step cannot read them all, also if they have the same millisecond', async () => {
  await auditNew(fixture.domain, minute);
  const some = await Promise.all(Array.from({ length: 4_500 }, () => placePayin(fixture.domain, merchantId, 'TH')));
  // Written past the triggers: all of them at one time, half of them wrong.
  await queryDatabase('alter table order_transition disable trigger append_only');
  await queryDatabase(
    'update order_transition set at = (select min(at) from order_transition where merchant_id = $1) where merchant_id = $1',
    [merchantId],
  );
  await placePayin(fixture.domain, merchantId, 'TH');
  const last = some
    .map(({ orderNo }) => orderNo)
    .toSorted()
    .at(-1);
  await queryDatabase("update orders set status = 'failed' where merchant_id = $1 and order_no = $2", [
    merchantId,
    last,
  ]);
  expect(await auditNew(fixture.domain, minute)).toBe('finished');
  expect((await openOnes()).map(({ subject }) => subject)).toContain(last);
  const [state] = await queryDatabase<{ behind: number }>(
    "select extract(epoch from clock_timestamp()) * 1000 - (position->>'seenUntil')::float8 as behind from audit_run where run = 'incremental'",
  );
  expect(Number(state?.behind)).toBeLessThan(minute);
});

test('the audit reads only merchants with new rows again', async () => {
  const { merchantId: still } = await aMerchant(fixture.domain, 'IN');
  await auditNew(fixture.domain, minute);
  const checked = () =>
    queryDatabase<{ id: string; at: string }>(
      'select merchant_id as id, checked_at::text as at from audit_checkpoint order by 1',
    );
  const before = await checked();
  expect(before.map(({ id }) => id)).toEqual(expect.arrayContaining([merchantId, still, 'PLATFORM']));
  await auditNew(fixture.domain, minute);
  expect(await checked()).toEqual(before);
  await fixture.domain.commit(aTopUp(merchantId, 'B-2', '1.00'));
  await auditNew(fixture.domain, minute);
  const after = await checked();
  expect(after.filter((one, i) => one.at !== before[i]?.at).map(({ id }) => id)).toEqual([merchantId]);
});

test('the audit stores the times of its last runs', async () => {
  expect((await readAuditState(fixture.domain)).lastRuns).toEqual([
    { run: 'incremental', finishedAt: null },
    { run: 'sealing', finishedAt: null },
    { run: 'whole', finishedAt: null },
  ]);
  await auditAll();
  expect(await auditSeals(fixture.domain, { forMs: minute, files: null })).toBe('finished');
  const { lastRuns } = await readAuditState(other.domain);
  expect(lastRuns.map(({ run }) => run)).toEqual(['incremental', 'sealing', 'whole']);
  for (const { finishedAt } of lastRuns) expect(Math.abs(Date.now() - (finishedAt ?? 0))).toBeLessThan(minute);
});

test('a long run that is ahead of its plan waits, and one that is behind its plan does not wait', async () => {
  await queryDatabase("update audit_run set last_steps = 28000 where run = 'whole'");
  expect(await auditWhole(fixture.domain, 0)).toBe('going_on');
  const begun = (by: string) =>
    queryDatabase(`update audit_run set started_at = clock_timestamp() - interval '${by}' where run = 'whole'`);
  await begun('1 s');
  expect(await auditWhole(fixture.domain, minute)).toBe('held');
  expect(await auditWhole(other.domain, minute)).toBe('held');
  await begun('28 days');
  expect(await auditWhole(other.domain, minute)).toBe('finished');
  const [run] = await queryDatabase<{ steps: number }>(
    "select last_steps::integer as steps from audit_run where run = 'whole'",
  );
  expect(run?.steps).toBeGreaterThan(2);
  expect(run?.steps).toBeLessThan(100);
});
