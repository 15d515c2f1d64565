import { beforeEach, expect, test } from 'vitest';
import { readWallet } from '../ledger/read-wallet.ts';
import type { BreakOutcome } from '../reconciliation/breaks/decide-resolution.ts';
import { resolveBreak } from '../reconciliation/breaks/resolve-break.ts';
import { closeDay, reopenDay } from '../reconciliation/days/close-day.ts';
import type { StatementLine } from '../reconciliation/statement.ts';
import { auditedDomain } from '../testing/audited-domain.ts';
import { aMerchant } from '../testing/index.ts';
import { by } from '../testing/payouts.ts';
import { aCycle, lastSettlementOf, letReconciliationKnowAll, paysAt, runSettlements } from '../testing/settlements.ts';
import { aLine, anImport, lineOfVersion, noSummary, reconcileAll } from '../testing/statements.ts';
import { approveSettlement, findSettlement } from './change-settlement.ts';

// Credits whose money never came: a settlement pays only what statements have confirmed.

const agreed = by('ann', 'bob');
const tenant = 'PLATFORM-PK';
const fixture = auditedDomain();
let merchantId: string;
/** Each test has a day of its own in November 2026. */
let days = 2;
let [day, next] = ['', ''];
/** The payments of the payins, of which the statement shows the first. */
let references: string[];

const line = (channelRef: string, bookedOn = day) => aLine({ currency: 'PKR', bookedOn, channelRef });
const draft = async () => {
  await runSettlements(fixture.domain, 'PK', '2026-11-26');
  return findSettlement(fixture.domain, await lastSettlementOf(fixture.domain, merchantId));
};
const available = async () => (await readWallet(fixture.domain, merchantId)).available;

async function lastBreak(): Promise<{ breakNo: number; kind: string; state: string }> {
  const { rows } = await fixture.domain.database.pool.query(
    'select break_no::integer as "breakNo", kind, state from reconciliation_break order by break_no desc limit 1',
  );
  return rows[0];
}
async function ends(outcome: BreakOutcome, breakNo?: number) {
  const ending = { merchantId: tenant, breakNo: breakNo ?? (await lastBreak()).breakNo, outcome, otherBreakNo: null };
  return resolveBreak(fixture.domain, ending, agreed);
}

// Two payins over 100.00 (97.50 without its fee), and a statement that shows the first. The other one is posted as missing, and the day is closed.
beforeEach(async () => {
  const { domain } = fixture;
  days += 1;
  [day, next] = [days, days + 10].map((one) => `2026-11-${String(one).padStart(2, '0')}`) as [string, string];
  ({ merchantId } = await aMerchant(domain, 'PK'));
  for (let n = 0; n < 2; n++) await paysAt(domain, merchantId, 'PK', `${day}T05:00:00Z`);
  await letReconciliationKnowAll(domain, 'PK');
  const { rows } = await domain.database.pool.query<{ reference: string }>(
    'select reference from payment where merchant_id = $1 order by reference',
    [merchantId],
  );
  references = rows.map(({ reference }) => reference);
  await anImport(domain, 'PK', [line(references[0] ?? '')]);
  await reconcileAll(domain);
  expect(await lastBreak()).toMatchObject({ kind: 'missing_at_channel', state: 'open' });
  expect(await ends('posted')).toMatchObject({ ok: true });
  expect(await closeDay(domain, { country: 'PK', channelId: 'fake', day }, agreed)).toMatchObject({ ok: true });
  await aCycle(domain, merchantId);
});

test('a credit that was posted as missing is not settled, until the platform bears it', async () => {
  expect(await draft()).toMatchObject({ closing: '195.00', held: '97.50', amount: '97.50', pending: '0.00' });
  const ref = await lastSettlementOf(fixture.domain, merchantId);
  expect(await ends('posted')).toMatchObject({ rejection: 'break_closed' });
  // Also on its closed day.
  expect(await ends('written_off')).toMatchObject({ value: { state: 'written_off' } });
  // The draft is of what was known before.
  expect(await approveSettlement(fixture.domain, ref, {}, agreed)).toMatchObject({ rejection: 'version_outdated' });
  expect(await draft()).toMatchObject({ held: '0.00', amount: '195.00', version: 2 });
  expect(await ends('written_off')).toMatchObject({ rejection: 'break_closed' });
});

test('a settled credit whose line is gone later stays held, also if its day is opened again', async () => {
  const { domain } = fixture;
  const shows = async (on: string, ...lines: StatementLine[]) => {
    const net = lines.reduce((sum, one) => sum + (one.direction === 'in' ? 1 : -1) * Number(one.net), 0);
    const opening = on === next ? 0 : 99;
    const summary = {
      ...noSummary,
      from: on,
      to: on,
      opening: opening.toFixed(2),
      closing: (opening + net).toFixed(2),
    };
    await anImport(domain, 'PK', [...lines, summary]);
  };
  const paysAndCloses = async (on: string, ...more: StatementLine[]) => {
    await paysAt(domain, merchantId, 'PK', `${on}T05:00:00Z`);
    await letReconciliationKnowAll(domain, 'PK');
    const { rows } = await domain.database.pool.query<{ reference: string }>(
      'select reference from payment where merchant_id = $1 order by received_at desc limit 1',
      [merchantId],
    );
    await shows(on, line(rows[0]?.reference ?? '', on), ...more);
    await reconcileAll(domain);
    if (more.length > 0) expect(await ends('posted')).toMatchObject({ ok: true });
    expect(await closeDay(domain, { country: 'PK', channelId: 'fake', day: on }, agreed)).toMatchObject({ ok: true });
  };
  const fee = lineOfVersion({ currency: 'PKR', bookedOn: next }, 'fake', days);
  await paysAndCloses(next, fee);
  expect(await draft()).toMatchObject({ held: '97.50', amount: '195.00' });
  const first = await lastSettlementOf(domain, merchantId);
  expect(await approveSettlement(domain, first, {}, agreed)).toMatchObject({ ok: true });
  await paysAndCloses(next.replace(/..$/, '25'));
  expect(await draft()).toMatchObject({ held: '97.50', amount: '97.50' });
  await shows(next, fee, { ...fee, channelRef: 'another fee' });
  await reconcileAll(domain);
  expect(await draft()).toMatchObject({ held: '195.00', amount: '0.00' });
  const reopened = await reopenDay(domain, { country: 'PK', channelId: 'fake', day: next }, agreed);
  expect(reopened).toMatchObject({ ok: true });
  expect(await draft()).toMatchObject({ held: '195.00', amount: '0.00', pending: '0.00' });
});

test('a charged merchant pays back its credit, and the rest is settled', async () => {
  expect(await ends('charged')).toMatchObject({ value: { state: 'charged' } });
  expect(await available()).toBe('97.50');
  expect(await draft()).toMatchObject({ held: '0.00', amount: '97.50' });
  const { rows } = await fixture.domain.database.pool.query(
    'select type, available_change::text as change, booking_no as no from wallet_entry where merchant_id = $1 and booking_no is not null',
    [merchantId],
  );
  const { breakNo } = await lastBreak();
  expect(rows).toEqual([{ type: 'ADJUSTMENT', change: '-97.50', no: `BREAK/${tenant}/${breakNo}` }]);
  // The money comes after all, and the wallet gets it back.
  await anImport(fixture.domain, 'PK', [line(references[1] ?? '', next)]);
  await reconcileAll(fixture.domain);
  expect(await ends('posted')).toMatchObject({ ok: true });
  expect(await available()).toBe('195.00');
});

test('a line that shows a part of the money lets only that part be settled', async () => {
  await anImport(fixture.domain, 'PK', [{ ...line(references[1] ?? '', next), gross: '10.00', net: '10.00' }]);
  await reconcileAll(fixture.domain);
  expect(await ends('posted')).toMatchObject({ ok: true });
  expect(await draft()).toMatchObject({ held: '90.00', amount: '105.00' });
});

test('a line that is linked with another shows no money, so the credit can still be charged', async () => {
  const missing = await lastBreak();
  const back = { type: 'refund', direction: 'out' } as const;
  await anImport(fixture.domain, 'PK', [line(references[1] ?? '', next), { ...line('BACK-1', next), ...back }]);
  await reconcileAll(fixture.domain);
  const { breakNo: otherBreakNo } = await lastBreak();
  const link = { merchantId: tenant, breakNo: otherBreakNo - 1, outcome: 'linked', otherBreakNo } as const;
  expect(await resolveBreak(fixture.domain, link, agreed)).toMatchObject({ ok: true });
  expect(await draft()).toMatchObject({ held: '97.50' });
  expect(await ends('charged', missing.breakNo)).toMatchObject({ value: { state: 'charged' } });
});

test('a line that shows the money after all lets the credit be settled', async () => {
  const missing = await lastBreak();
  await anImport(fixture.domain, 'PK', [line(references[1] ?? '', next)]);
  await reconcileAll(fixture.domain);
  expect(await lastBreak()).toMatchObject({ kind: 'missing_in_ledger', state: 'open' });
  expect(await draft()).toMatchObject({ held: '97.50', amount: '97.50' });
  expect(await ends('charged', missing.breakNo)).toMatchObject({ rejection: 'break_closed' });
  expect(await ends('posted')).toMatchObject({ ok: true });
  expect(await draft()).toMatchObject({ held: '0.00', amount: '195.00' });
});
