import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '../core/commands.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { applyToModel, type ModelMerchant } from '../testing/ledger-model.ts';

import { applyToPayouts } from '../testing/payout-model.ts';
import type { PayoutModel } from '../testing/payout-movements-model.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { aRandomCommand, type Chance, chanceOf } from '../testing/random-commands.ts';
import { aRandomPayoutCommand } from '../testing/random-payouts.ts';
import { audit } from './audit.ts';
import { auditNew } from './audit-new.ts';
import { auditWhole } from './audit-whole.ts';
import { openFindings } from './open-findings.ts';

// While random commands are written as fast as they can be, by two processes, every kind of audit runs all the time: none cries wolf.

// More of it every night.
const enough = process.env.TIDEGATE_TEST_DEPTH !== undefined ? 1_500 : 400;
/** Only ends what hangs: a busy machine takes its time for so many. */
const maxMs = 150_000;

let url: string;
let processes: TestDomain[];
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  // No waits: whatever is next is due at once.
  processes = [
    await openTestDomain(url, { batchSize: 8, batchesAtOnce: 2, scheduleScale: 0 }),
    await openTestDomain(url, { batchSize: 3, batchesAtOnce: 2, scheduleScale: 0 }),
  ];
});
afterAll(() => Promise.all(processes.map((process) => process.close())));

/** Makes random commands for one merchant. The model only says which orders and cases there are. */
type Source = () => Command;

async function someSources(chance: Chance, { domain }: TestDomain): Promise<Source[]> {
  const payins = async (country: ModelMerchant['country']): Promise<Source> => {
    const { merchantId } = await aMerchant(domain, country);
    const nothing = { available: 0, frozen: 0, suspense: 0 };
    const model = {
      merchantId,
      country,
      ...nothing,
      orders: new Map(),
      orderNos: new Set<string>(),
      bookings: new Map<string, string>(),
    };
    return () => {
      const command = aRandomCommand(chance, model);
      applyToModel(model, command);
      return command;
    };
  };
  const payouts = async (country: 'IN' | 'PK'): Promise<Source> => {
    const { merchantId } = await aFundedMerchant(domain, country, '9000.00');
    const model: PayoutModel = {
      merchantId,
      country,
      available: 900_000,
      frozen: 0,
      suspense: 0,
      cases: [],
      decisions: 1,
      payouts: new Map(),
      merchantOrderNos: new Map(),
      bookings: new Map([['OPENING', 'TOP_UP 9000.00']]),
    };
    return () => {
      const command = aRandomPayoutCommand(chance, model);
      applyToPayouts(model, command);
      return command;
    };
  };
  return Promise.all([payins('TH'), payins('IN'), payins('CN'), payouts('IN'), payouts('PK'), payouts('PK')]);
}

test('while orders are created under load, no audit reports a violation, and every order is checked', {
  timeout: 240_000,
}, async () => {
  const seed = Date.now() % 2 ** 31;
  const chance = chanceOf(seed);
  const [first, second] = processes as [TestDomain, TestDomain];
  const sources = await someSources(chance, first);
  const until = performance.now() + maxMs;
  let written = 0;
  const outcomes: string[] = [];
  // Every kind of audit has ended more than twice meanwhile, whatever the machine is like.
  const wanted = ['new finished', 'whole finished', 'all, sound'];
  const hasRun = (): boolean => wanted.every((kind) => outcomes.filter((outcome) => outcome === kind).length > 2);
  const goesOn = (): boolean => (written < enough || !hasRun()) && performance.now() < until;
  const write = async (source: Source, { domain }: TestDomain): Promise<void> => {
    while (goesOn()) {
      // What is refused is no matter here; what cannot be (an order credited twice) is refused by the database.
      const few = Array.from({ length: 10 }, () =>
        domain.commit(source()).then(
          (done) => done.ok,
          () => false,
        ),
      );
      written += (await Promise.all(few)).filter(Boolean).length;
    }
  };
  const look = async (run: () => Promise<string>): Promise<void> => {
    while (goesOn()) {
      outcomes.push(await run());
      await new Promise(setImmediate);
    }
  };
  await Promise.all([
    ...sources.map((source, i) => write(source, i % 2 === 0 ? first : second)),
    look(async () => `new ${await auditNew(first.domain, 200)}`),
    look(async () => `new ${await auditNew(second.domain, 50)}`),
    look(async () => `whole ${await auditWhole(second.domain, 300)}`),
    look(
      async () => `all, ${(await audit(first.domain)).violations.map((one) => JSON.stringify(one)).join() || 'sound'}`,
    ),
  ]);
  const where = `seed ${seed}`;
  expect(await openFindings(first.domain, 10), where).toEqual([]);
  expect(
    outcomes.filter((outcome) => outcome.startsWith('all') && outcome !== 'all, sound'),
    where,
  ).toEqual([]);
  const ran = Map.groupBy(outcomes, (outcome) => outcome);
  for (const outcome of wanted) expect(ran.get(outcome)?.length ?? 0, `${where}: ${outcome}`).toBeGreaterThan(2);
  expect(written, where).toBeGreaterThanOrEqual(enough);

  // The incremental runs missed nothing: their positions equal the wallets.
  while ((await auditNew(first.domain, 10_000)) !== 'finished')
    expect(await openFindings(first.domain, 10)).toEqual([]);
  const { rows } =
    await first.domain.database.pool.query(`select w.merchant_id from wallet w left join audit_checkpoint c using (merchant_id)
    where (w.last_entry_no, w.last_transfer_no, w.last_audit_no) is distinct from
      ((c.position->>'entryNo')::bigint, (c.position->>'transferNo')::bigint, (c.position->>'auditNo')::bigint)`);
  expect(rows).toEqual([]);
  expect(await openFindings(first.domain, 10), where).toEqual([]);
});
