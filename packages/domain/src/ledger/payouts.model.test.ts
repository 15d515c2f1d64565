import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Command } from '../core/commands.ts';
import { EvolvedLedger } from '../testing/evolved-ledger.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { cents } from '../testing/ledger-model.ts';
import { applyToPayouts } from '../testing/payout-model.ts';
import type { PayoutModel } from '../testing/payout-movements-model.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { chanceOf } from '../testing/random-commands.ts';
import { aRandomPayoutCommand } from '../testing/random-payouts.ts';

// Random payouts, reports, claims, proofs, cancels, resolutions, cases and bookings, concurrent and repeated, in the ledger writer;
// a simple model says what should come of them, the audit that all is sound, and the events alone lead to what the database holds.

// More of it every night.
const isDeep = process.env.TIDEGATE_TEST_DEPTH !== undefined;
const rounds = isDeep ? 20 : 6;
/** However slow the machine is. */
const fewestRounds = 3;
const commandsPerRound = 150;
const timeLimitOfSeed = 15_000;

let fixture: TestDomain;
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  // No waits: what is next is due at once, whatever the clock says.
  fixture = await openTestDomain(url, { batchSize: 8, batchesAtOnce: 2, scheduleScale: 0 });
  other = await openTestDomain(url, { batchSize: 3, batchesAtOnce: 2, scheduleScale: 0 });
});
afterAll(() => Promise.all([fixture.close(), other.close()]));

async function aModel(country: 'IN' | 'PK'): Promise<PayoutModel> {
  const { merchantId } = await aFundedMerchant(fixture.domain, country, '3000.00');
  return {
    merchantId,
    country,
    available: 300_000,
    frozen: 0,
    suspense: 0,
    cases: [],
    decisions: 1,
    payouts: new Map(),
    merchantOrderNos: new Map(),
    bookings: new Map([['OPENING', 'TOP_UP 3000.00 bank']]),
  };
}

/** What came of a command, as the model says it. */
async function commit(writer: Pick<EvolvedLedger, 'commit'>, command: Command): Promise<string> {
  try {
    const result = await writer.commit(command);
    return result.ok ? 'ok' : result.rejection;
  } catch (error) {
    if (error instanceof Error && 'constraint' in error) return String(error.constraint).replace(/_p\d+$/, '');
    throw error;
  }
}

async function reportOrderMoney({ merchantId }: PayoutModel): Promise<unknown> {
  const { pool } = fixture.domain.database;
  const of = async (text: string): Promise<Record<string, unknown>[]> => (await pool.query(text, [merchantId])).rows;
  const [wallet] = await of(`select available, frozen, last_audit_no::integer as decisions,
    (select coalesce(sum(case credit when 'suspense' then amount else -amount end), 0)
       from transfer t where t.merchant_id = w.merchant_id and 'suspense' in (debit, credit)) as suspense from wallet w where merchant_id = $1`);
  return {
    available: cents(String(wallet?.available)),
    frozen: cents(String(wallet?.frozen)),
    suspense: cents(String(wallet?.suspense)),
    decisions: wallet?.decisions,
    cases: await of(`select kind, order_no as "orderNo", round(amount * 100)::integer as amount, state
      from money_case where merchant_id = $1 order by case_no`),
    payouts: await of(`select order_no as "orderNo", status, next_action as next, task->>'claimedBy' as "claimedBy",
      coalesce(jsonb_typeof(task->'proof') = 'object', false) as proved from orders where merchant_id = $1 order by order_no`),
  };
}

function expectedOf({ available, frozen, suspense, decisions, cases, payouts }: PayoutModel): unknown {
  return {
    available,
    frozen,
    suspense,
    decisions,
    cases: cases.map(({ kind, order, amount, state }) => ({ kind, orderNo: order.orderNo, amount, state })),
    payouts: [...payouts.values()]
      .sort((a, b) => (a.orderNo < b.orderNo ? -1 : 1))
      .map(({ orderNo, status, next, claimedBy, proved }) => ({ orderNo, status, next, claimedBy, proved })),
  };
}

const fixedSeed = 20261121;
test.each([fixedSeed, Date.now() % 2 ** 31])(
  'after random commands about payouts the ledger equals a simple model (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const chance = chanceOf(seed);
    const models = await Promise.all([aModel('IN'), aModel('PK'), aModel('PK')]);
    const modelOf = (command: Command): PayoutModel => {
      const merchantId =
        'ref' in command ? command.ref.merchantId : 'order' in command ? command.order.merchantId : command.merchantId;
      const model = models.find((one) => one.merchantId === merchantId);
      if (!model) throw new Error(`no model of ${merchantId}`);
      return model;
    };
    // Commands of one merchant keep their order, however they are batched: so the model may go one by one.
    const run = async (
      writer: Pick<EvolvedLedger, 'commit'>,
      commands: readonly Command[],
      where: string,
    ): Promise<string[]> => {
      const expected = commands.map((command) => applyToPayouts(modelOf(command), command));
      const results = await Promise.all(commands.map((command) => commit(writer, command)));
      const differing = commands.flatMap((command, i) =>
        results[i] === expected[i] ? [] : [{ command, i, came: results[i], expected: expected[i] }],
      );
      expect(differing.slice(0, 1), where).toEqual([]);
      return results;
    };
    const ledger = new EvolvedLedger(fixture.domain, { batchesAtOnce: 2, batchSize: 8, scheduleScale: 0 });
    const until = performance.now() + timeLimitOfSeed;
    const answers = new Map<string, number>();
    for (let round = 0; round < rounds && (round < fewestRounds || performance.now() < until); round++) {
      const where = `seed ${seed}, round ${round}`;
      // Made a few at a time, so that they are about existing orders.
      const commands: Command[] = [];
      await ledger.load(models.map(({ merchantId }) => merchantId));
      for (let i = 0; i < 5; i++) {
        const some = Array.from({ length: commandsPerRound / 5 }, () => {
          const [first, ...rest] = models;
          if (!first) throw new Error('no merchants');
          return aRandomPayoutCommand(chance, chance.pick(first, ...rest));
        });
        const result = await run(ledger, some, where);
        some.forEach(({ type }, n) => {
          answers.set(`${type} ${result[n]}`, (answers.get(`${type} ${result[n]}`) ?? 0) + 1);
        });
        commands.push(...some);
      }
      expect(await ledger.stored(), where).toEqual(ledger.evolved);
      // Some of it again, late and in another order, through another process.
      const again = commands.filter(() => chance.below(4) === 0).toReversed();
      await run(other.domain, again, `${where}, again`);
      // A booking is made once, however many callers ask at the same time.
      const commandsThatCreate = commands.filter(({ type }) => type === 'createPayout' || type === 'bookWallet');
      await Promise.all(
        commandsThatCreate
          .filter((_, i) => i % 3 === 0)
          .flatMap((command) => [fixture, other].map((process) => process.domain.commit(command))),
      );
      for (const command of commandsThatCreate.filter((_, i) => i % 3 === 0)) applyToPayouts(modelOf(command), command);
      for (const model of models) expect(await reportOrderMoney(model), where).toEqual(expectedOf(model));
      expect((await audit(fixture.domain)).violations, where).toEqual([]);
    }
    // The random commands must have led to enough different answers: accepted ones and refusals.
    const happened = [...answers.keys()];
    const mustHappen = [
      'createPayout',
      'applyReport',
      'claimWork',
      'cancelOrder',
      'resolvePayout',
      'claimTask',
      'endClaim',
      'proveTask',
      'acceptProof',
      'rejectProof',
      'bookWallet',
      'returnCase',
      'reverseBooking',
      'chargeCase',
      'writeOffCase',
    ];
    // Other seeds may leave one of these out. The fixed seed has them all.
    if (seed === fixedSeed) for (const type of mustHappen) expect(happened).toContain(`${type} ok`);
    expect(happened.length, `seed ${seed}: ${happened}`).toBeGreaterThan(25);
  },
);
