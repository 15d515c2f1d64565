import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { createMerchant } from '../configuration/create-merchant.ts';
import { setFeeRule } from '../configuration/set-fee-rule.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { orderRules } from '../countries/index.ts';
import { openLedgerWriter } from '../ledger/writer.ts';
import type { Domain } from '../open-domain.ts';
import { openTestDomain, type TestDomain, takeKeyPair } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aTopUp } from '../testing/payins.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// A process that dies while it carries out what was approved, before each of its statements in turn and after its last one.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ann = await anOperator(fixture.domain, ['finance', 'admin']);
  bob = await anOperator(fixture.domain, ['finance', 'admin']);
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

/**
 * A domain whose process dies before its statement number `after`. `answerless`: that statement is still executed, but
 * its answer is lost.
 */
function dying(domain: Domain, after: number, answerless: boolean): { domain: Domain; isDead: () => boolean } {
  let sent = 0;
  const isDead = (): boolean => sent > after;
  const send = async <T>(run: () => Promise<T>): Promise<T> => {
    sent += 1;
    if (!isDead()) return run();
    if (answerless && sent === after + 1) await run();
    throw new Error('killed');
  };
  const { pool } = domain.database;
  const dyingPool = {
    query: (text: string, values?: unknown[]) => send(() => pool.query(text, values)),
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (text: string, values?: unknown[]) => send(() => client.query(text, values)),
        // The connection of a dead process ends, and its transaction with it.
        release: () => client.release(isDead()),
      };
    },
  } as unknown as pg.Pool;
  const options = { batchesAtOnce: 1, batchSize: 10, queueLimit: 10, scheduleScale: 1, committed: () => undefined };
  const writer = openLedgerWriter({ pool: dyingPool, sql: domain.sql, rules: orderRules, ...options });
  return { domain: { ...domain, database: { ...domain.database, pool: dyingPool }, commit: writer.commit }, isDead };
}

test.each<[OperationName, object, (merchantId: string) => Promise<string>, string, string]>([
  ['settleWallet', { amount: '20000', bookingNo: 'S-1', remark: 'r' }, available, '50000.00', '30000.00'],
  ['setFeeRule', { kind: 'payin', percent: '3', fixed: '1' }, percentOfPayins, '2.5000', '3.0000'],
])(
  '%s: executed once or not at all, and approving again finishes it',
  { timeout: 120_000 },
  async (name, input, look, before, after) => {
    for (const answerless of [false, true]) {
      let survived = false;
      for (let statements = 0; !survived; statements += 1) {
        expect(statements).toBeLessThan(60);
        const merchantId = await aRichMerchant();
        const requested = await requestOperation(fixture.domain, ann, name, { merchantId, ...input }, 'a test');
        if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
        const { approvalId } = requested.approval;
        const process = dying(fixture.domain, statements, answerless);
        const result = await approve(process.domain, bob, approvalId).catch((error: Error) => error.message);
        survived = !process.isDead();
        const state = (await approvalById(fixture.domain, approvalId))?.state;
        expect([state, await look(merchantId)]).toEqual(
          state === 'pending' ? ['pending', before] : ['executed', after],
        );
        if (survived) expect(result).toMatchObject({ ok: true, value: { state: 'executed' } });
        else expect(result).toBe('killed');
        expect(await approve(fixture.domain, bob, approvalId)).toMatchObject({
          ok: true,
          value: { state: 'executed' },
        });
        expect(await look(merchantId)).toBe(after);
        expect(await decisions(merchantId)).toBe(1);
      }
    }
  },
);

let count = 0;
async function aRichMerchant(): Promise<string> {
  count += 1;
  const merchantId = `PK-RICH-${count}`;
  await createMerchant(fixture.domain, { merchantId, name: 'Shop', country: 'PK' }, takeKeyPair());
  await setFeeRule(fixture.domain, merchantId, { kind: 'payin', percent: '2.5', fixed: '0.00' });
  await fixture.domain.commit(aTopUp(merchantId, 'OPENING', '50000.00'));
  return merchantId;
}

async function available(merchantId: string): Promise<string> {
  return (await one('select available::text as found from wallet where merchant_id = $1', merchantId)) as string;
}

async function percentOfPayins(merchantId: string): Promise<string> {
  const text = "select percent::text as found from fee_rule where merchant_id = $1 and kind = 'payin'";
  return (await one(text, merchantId)) as string;
}

async function decisions(merchantId: string): Promise<unknown> {
  return one(
    'select count(*)::integer as found from audit_record where merchant_id = $1 and approver is not null',
    merchantId,
  );
}

async function one(text: string, merchantId: string): Promise<unknown> {
  return (await fixture.domain.database.pool.query<{ found: unknown }>(text, [merchantId])).rows[0]?.found;
}
