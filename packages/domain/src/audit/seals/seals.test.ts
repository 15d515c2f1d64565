import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { day, minute, month, openSealedLedger, type SealedLedger, sealable } from '../../../test/sealed-ledger.ts';
import { endOfPeriod, nextPeriod } from '../../core/period-seal.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aTopUp } from '../../testing/payins.ts';
import { auditSeals } from '../audit-seals.ts';
import { verifyAllSeals } from '../verify-all-seals.ts';
import type { SealFiles } from './seal-files.ts';

// Months that are over are sealed, each row once, whichever process does it.

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await openSealedLedger();
});
afterEach(() => ledger.close());

test('a month is sealed once, a day after its end, and each seal has a file', async () => {
  await ledger.seal(Date.now());
  await ledger.seal(endOfPeriod(month) + day - 1);
  expect(await ledger.seals()).toEqual([]);
  await ledger.seal();
  await ledger.seal();
  const seals = await ledger.seals();
  expect(seals.map(({ merchantId }) => merchantId)).toEqual(expect.arrayContaining(ledger.merchants));
  expect(seals.every((seal) => seal.sealNo === 1 && seal.period === month && seal.isFiled)).toBe(true);
  expect(await ledger.found()).toEqual([]);
  expect(await readdir(join(ledger.dir, ledger.th))).toEqual([`0001-${month}.json`]);
  const report = await verifyAllSeals(ledger.domain, { dir: ledger.dir });
  expect(report).toMatchObject({ violations: [], seals: seals.length });
  expect(report.rows).toBeGreaterThan(50);
});

test('a row that is written late belongs to the period after the last seal', async () => {
  await ledger.seal();
  const [sealed] = await ledger.seals();
  // Its time is within the sealed month.
  await ledger.domain.commit(aTopUp(ledger.th, 'T-1', '1.00'));
  await ledger.seal();
  await ledger.seal(endOfPeriod(nextPeriod(month)) + 2 * day);
  const seals = (await ledger.seals()).filter(({ merchantId }) => merchantId === ledger.th);
  expect(seals.map(({ sealNo, period }) => [sealNo, period])).toEqual([
    [1, month],
    [2, nextPeriod(month)],
  ]);
  const [first, second] = seals.map(({ content }) => JSON.parse(content));
  expect(second.from).toEqual(first.to);
  expect(second.to.entryNo).toBe(first.to.entryNo + 1);
  expect(second.previous).toBe(hash('sha256', seals[0]?.content ?? '', 'hex'));
  expect((await ledger.seals())[0]).toEqual(sealed);
  expect(await ledger.found()).toEqual([]);
});

test('rows that were read before the end of their month are sealed after its end', async () => {
  await ledger.seal(Date.now());
  await ledger.domain.commit(aTopUp(ledger.th, 'T-1', '1.00'));
  await ledger.seal(Date.now());
  await ledger.seal();
  const seal = (await ledger.seals()).find(({ merchantId }) => merchantId === ledger.th);
  expect(JSON.parse(seal?.content ?? '{}').to.entryNo).toBe(
    Number(
      (
        await ledger.query<{ no: string }>(`select last_entry_no as no from wallet where merchant_id = '${ledger.th}'`)
      )[0]?.no,
    ),
  );
  expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir })).violations).toEqual([]);
});

test('a month with findings is sealed only after the findings are closed', async () => {
  const restore = await ledger.tamper('transfer', 'update transfer set amount = amount + 1 where order_no = $paid');
  await ledger.seal();
  expect((await ledger.seals()).map(({ merchantId }) => merchantId)).not.toContain(ledger.th);
  await restore();
  await ledger.seal();
  expect((await ledger.seals()).map(({ merchantId }) => merchantId)).not.toContain(ledger.th);
  await ledger.byHand("update audit_finding set state = 'repaired', closed_at = now()");
  await ledger.seal();
  expect((await ledger.seals()).map(({ merchantId }) => merchantId)).toContain(ledger.th);
  expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir })).violations).toEqual([]);
});

test('a run verifies a tenth of all sealed rows, half of it at random, and twenty runs verify every seal', async () => {
  await ledger.seal();
  await ledger.byHand(
    'delete from period_seal',
    `insert into period_seal (merchant_id, seal_no, period, rows, content, key_id, signature, verified_at)
     select '${ledger.th}', n, to_char('1990-01-01'::date + n * interval '1 month', 'YYYY-MM'), 10, 'a text', 'a key', '', '2020-01-01'::timestamptz + n * interval '1 s'
     from generate_series(1, 200) n`,
  );
  const verified = new Set<number>();
  for (let day = 1; day <= 20; day += 1) {
    const before = await ledger.query<{ at: string }>('select max(verified_at)::text as at from period_seal');
    await ledger.makeDue();
    const options = { forMs: minute, files: null, now: () => Date.now(), leastRows: 1 };
    expect(await auditSeals(ledger.domain, options)).toBe('finished');
    const now = await ledger.query<{ no: number }>(
      `select seal_no as no from period_seal where verified_at > '${before[0]?.at}' order by 1`,
    );
    expect(now.length, `run ${day}`).toBe(20);
    for (const { no } of now) verified.add(no);
    const oldest = Array.from({ length: 20 }, (_, i) => i + 1);
    if (day === 1) expect(now.map(({ no }) => no)).toEqual(expect.arrayContaining(oldest.slice(0, 10)));
    if (day === 1) expect(now.map(({ no }) => no)).not.toEqual(oldest);
  }
  expect(verified.size).toBe(200);
});

describe('if several processes run', () => {
  let other: TestDomain;
  beforeEach(async () => {
    other = await openTestDomain(ledger.url);
  });
  afterEach(() => other.close());

  test('only one of ten simultaneous runs makes seals', async () => {
    await ledger.makeDue();
    const options = { forMs: minute, files: ledger.files, now: () => sealable };
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => auditSeals((i % 2 === 0 ? ledger : other).domain, options)),
    );
    expect(outcomes.filter((outcome) => outcome === 'finished')).toHaveLength(1);
    expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir })).violations).toEqual([]);
  });

  test('a run that ends after each step is continued by another process', async () => {
    await ledger.makeDue();
    let steps = 0;
    for (let outcome = 'going_on'; outcome === 'going_on'; steps += 1) {
      const { domain } = steps % 2 === 0 ? ledger : other;
      outcome = await auditSeals(domain, { forMs: 0, files: ledger.files, now: () => sealable });
      expect(['going_on', 'finished']).toContain(outcome);
    }
    expect(steps).toBeGreaterThan(5);
    expect((await ledger.seals()).map(({ merchantId }) => merchantId)).toEqual(
      expect.arrayContaining(ledger.merchants),
    );
    expect(await verifyAllSeals(ledger.domain, { dir: ledger.dir })).toMatchObject({ violations: [] });
    expect(await ledger.found()).toEqual([]);
  });

  test('a process that is killed after writing files and before the commit causes no violation', async () => {
    let writes = 0;
    const dying: SealFiles = {
      ...ledger.files,
      write: async (ref, text) => {
        const outcome = await ledger.files.write(ref, text);
        writes += 1;
        if (writes === 2) throw new Error('no space left');
        return outcome;
      },
    };
    await ledger.makeDue();
    const died = auditSeals(ledger.domain, { forMs: minute, files: dying, now: () => sealable });
    await expect(died).rejects.toThrow('no space left');
    expect((await ledger.seals()).some(({ isFiled }) => isFiled)).toBe(false);
    expect(await auditSeals(other.domain, { forMs: minute, files: ledger.files, now: () => sealable })).toBe(
      'finished',
    );
    expect(await ledger.found()).toEqual([]);
    expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir })).violations).toEqual([]);
  });
});
