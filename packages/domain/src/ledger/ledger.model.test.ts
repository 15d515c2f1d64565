import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Command } from '../core/commands.ts';
import { isTerminal } from '../core/order.ts';
import { orderRules } from '../countries/index.ts';
import { EvolvedLedger } from '../testing/evolved-ledger.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { applyToModel, cents, type ModelMerchant, type ModelOrder } from '../testing/ledger-model.ts';
import { aRandomCommand, chanceOf } from '../testing/random-commands.ts';

// Random commands, concurrent and repeated, in the ledger writer; a simple model says what should come of them, the audit that all is sound,
// and the events alone lead to what the database holds.

// More of it every night.
const rounds = process.env.TIDEGATE_TEST_DEPTH !== undefined ? 12 : 6;
/** However slow the machine is. */
const fewestRounds = 3;
const commandsPerRound = 150;
const timeLimit = 15_000;

let fixture: TestDomain;
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url, { batchSize: 8, batchesAtOnce: 2 });
  other = await openTestDomain(url, { batchSize: 5, batchesAtOnce: 2 });
});
afterAll(() => Promise.all([fixture.close(), other.close()]));

async function someMerchants(): Promise<[ModelMerchant, ...ModelMerchant[]]> {
  const make = async (country: ModelMerchant['country']): Promise<ModelMerchant> => {
    const { merchantId } = await aMerchant(fixture.domain, country);
    const nothing = { available: 0, frozen: 0, suspense: 0 };
    return { merchantId, country, ...nothing, orders: new Map(), orderNos: new Set(), bookings: new Map() };
  };
  return [await make('TH'), await make('IN'), await make('PK'), await make('CN')];
}

interface StoredFacts {
  wallet: { available: number; frozen: number; suspense: number };
  orders: { orderNo: string; status: string; paid: number; reported: string; next: boolean }[];
}

async function storedFactsOf({ merchantId }: ModelMerchant): Promise<StoredFacts> {
  const { pool } = fixture.domain.database;
  const wallet = await pool.query<Record<'available' | 'frozen' | 'suspense', string>>(
    `select available, frozen, (select coalesce(sum(case credit when 'suspense' then amount else -amount end), 0)
       from transfer t where t.merchant_id = w.merchant_id and 'suspense' in (debit, credit)) as suspense
     from wallet w where merchant_id = $1`,
    [merchantId],
  );
  const orders = await pool.query<{
    orderNo: string;
    kind: string;
    status: string;
    paid: string;
    reported: string;
    next: boolean;
  }>(
    `select order_no as "orderNo", status, paid_amount as paid, next_action is not null as next, coalesce((
       select string_agg(status, ' ' order by status) from notification n where n.merchant_id = o.merchant_id and n.order_no = o.order_no), '') as reported
     from orders o where merchant_id = $1 order by order_no`,
    [merchantId],
  );
  const { available = '', frozen = '', suspense = '' } = wallet.rows[0] ?? {};
  return {
    wallet: { available: cents(available), frozen: cents(frozen), suspense: cents(suspense) },
    orders: orders.rows.map((row) => ({ ...row, paid: cents(row.paid) })),
  };
}

/** The same, as the model has it. Ended payins may still be watched, so that what is next is only known of open and completed ones. */
function expectedOf(
  merchant: ModelMerchant,
  urls: ReadonlyMap<string, string | null>,
  actual: StoredFacts,
): StoredFacts {
  const { available, frozen, suspense, orders } = merchant;
  const next = new Map(actual.orders.map((order) => [order.orderNo, order.next]));
  return {
    wallet: { available, frozen, suspense },
    orders: [...orders]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([orderNo, order]) => {
        const rule = orderRules.notificationRule(order.kind, order.country).statuses;
        const reported = urls.get(orderNo) ? [...new Set(order.reached)].filter((status) => rule.includes(status)) : [];
        return {
          orderNo,
          status: order.status,
          reported: reported.sort().join(' '),
          paid: order.kind === 'payout' && order.status === 'completed' ? order.total : order.paid,
          next: order.status === 'completed' ? false : isTerminal(order.status) ? next.get(orderNo) === true : true,
        };
      }),
  };
}

/** Whether a repeat must change nothing: what was booked or created, and reports of orders that have ended. */
function isRepeatable(command: Command, orders: ReadonlyMap<string, ModelOrder>): boolean {
  if (command.type !== 'applyReport') return command.type !== 'claimWork';
  const order = orders.get(command.ref.orderNo);
  return order !== undefined && isTerminal(order.status);
}

test.each([20261121, Date.now() % 2 ** 31])(
  'after random commands the ledger equals a simple model (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const chance = chanceOf(seed);
    const merchants = await someMerchants();
    const merchantIds = merchants.map(({ merchantId }) => merchantId);
    const ledger = new EvolvedLedger(fixture.domain, { batchesAtOnce: 2, batchSize: 8, scheduleScale: 1 });
    const urls = new Map<string, string | null>();
    const until = performance.now() + timeLimit / 2;
    for (let round = 0; round < rounds && (round < fewestRounds || performance.now() < until); round++) {
      const expected: (string | null)[] = [];
      const commands = Array.from({ length: commandsPerRound }, () => {
        const merchant = chance.pick(...merchants);
        const command = aRandomCommand(chance, merchant);
        expected.push(applyToModel(merchant, command));
        if ('order' in command) urls.set(command.order.orderNo, command.order.notifyUrl);
        return command;
      });
      // Commands of one merchant keep their order, however they are batched: so the model may go one by one.
      await ledger.load(merchantIds);
      const results = await Promise.all(commands.map((command) => ledger.commit(command)));
      expect(await ledger.stored(), `seed ${seed}, round ${round}`).toEqual(ledger.evolved);
      const got = results.map((result, i) => (expected[i] === null ? null : result.ok ? 'ok' : result.rejection));
      expect(got, `seed ${seed}, round ${round}`).toEqual(expected);
      // Saying it all again, through two processes at once, changes nothing.
      const orders = new Map(merchants.flatMap((merchant) => [...merchant.orders]));
      const again = commands.filter((command, i) => results[i]?.ok && isRepeatable(command, orders));
      await Promise.all(again.flatMap((command) => [fixture, other].map(({ domain }) => domain.commit(command))));
      for (const merchant of merchants) {
        const actual = await storedFactsOf(merchant);
        expect(actual, `seed ${seed}, round ${round}, ${merchant.country}`).toEqual(expectedOf(merchant, urls, actual));
      }
      expect((await audit(fixture.domain)).violations, `seed ${seed}, round ${round}`).toEqual([]);
    }
    const reached = new Set(
      merchants.flatMap((m) => [...m.orders.values()].map((o) => `${o.kind} ${o.country} ${o.status}`)),
    );
    expect(reached.size).toBeGreaterThan(15);
  },
);
