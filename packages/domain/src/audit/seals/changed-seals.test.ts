import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { day, minute, month, openSealedLedger, type SealedLedger, sealable } from '../../../test/sealed-ledger.ts';
import { endOfPeriod, nextPeriod } from '../../core/period-seal.ts';
import { aTopUp } from '../../testing/payins.ts';
import { auditSeals } from '../audit-seals.ts';
import { verifyAllSeals } from '../verify-all-seals.ts';
import { makeSealKey, openSealKeys, type Signed } from './seal-keys.ts';

// Whatever changes in a sealed month or in a seal is found.

const rows = 'sealed rows are as they were sealed';
const signatureRule = 'seals have the signature of this service';
const missing = 'no seal is missing';

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await openSealedLedger();
});
afterEach(() => ledger.close());

// biome-ignore format: a table is read by its columns
const changes: [what: string, table: string, sql: string][] = [
  ['a changed entry', 'wallet_entry', "update wallet_entry set remark = 'x' where order_no = $paid"],
  ['a deleted entry', 'wallet_entry', 'delete from wallet_entry where order_no = $paid'],
  ['an entry of another link', 'wallet_entry', 'update wallet_entry set batch_no = batch_no + 1 where order_no = $paid'],
  ['a changed transfer', 'transfer', 'update transfer set amount = amount + 1 where order_no = $paid'],
  ['a deleted transfer', 'transfer', 'delete from transfer where order_no = $paid'],
  ['a changed payee', 'orders', `update orders set details = '{"party": {"account": "1"}}' where order_no = $held`],
  ['a deleted order', 'orders', 'delete from orders where order_no = $open'],
  ['a changed transition', 'order_transition', "update order_transition set actor = 'eve' where order_no = $paid and seq = 1"],
  ['a deleted payment', 'payment', 'delete from payment where order_no = $paid'],
  ['a changed case', 'money_case', 'update money_case set amount = amount + 1 where order_no = $late'],
  ['a changed audit record', 'audit_record', "update audit_record set reason = 'another'"],
  ['a deleted audit record', 'audit_record', 'delete from audit_record'],
  ['a deleted link', 'ledger_batch', 'delete from ledger_batch where batch_no = 3'],
  ['a link with fewer rows', 'ledger_batch', 'update ledger_batch set rows = rows[1:1] where cardinality(rows) > 1'],
];
test('each change of a sealed row is found, and nothing is found after the change was undone', async () => {
  await ledger.seal();
  for (const [what, table, sql] of changes) {
    const restore = await ledger.tamper(table, sql);
    const { violations } = await verifyAllSeals(ledger.domain, { dir: ledger.dir });
    expect(
      violations.map(({ rule }) => rule),
      what,
    ).toContain(rows);
    expect(violations.every(({ detail }) => detail !== '')).toBe(true);
    await restore();
  }
  expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir })).violations).toEqual([]);
  const [[, table = '', sql = ''] = []] = changes;
  await ledger.tamper(table, sql);
  await ledger.seal();
  expect(await ledger.found()).toContain(`${rows}: seal 1 of ${month}`);
});

test('a changed row whose later hashes were all computed again is found by the seal', async () => {
  await ledger.seal();
  await ledger.rewriteLastEntry();
  const { violations } = await verifyAllSeals(ledger.domain, { dir: ledger.dir });
  expect(violations).toEqual([
    {
      rule: rows,
      merchantId: ledger.th,
      subject: `seal 1 of ${month}`,
      detail: 'its links or their rows are other than sealed',
    },
  ]);
});

describe('a seal that was changed', () => {
  const forged = `jsonb_set(content::jsonb, '{links}', to_jsonb(repeat('a', 64)))::text`;
  test.each([
    ['its text was changed', `update period_seal set content = ${forged}`],
    ['its signature was changed', `update period_seal set signature = 'AAAA'`],
    ['its key was changed', `update period_seal set key_id = 'seal-0000000000000000'`],
    ['its month was changed', `update period_seal set period = '2001-01'`],
    ['its number of rows was changed', `update period_seal set rows = rows + 1`],
  ])('its signature is reported as wrong: %s', async (_, sql) => {
    await ledger.seal();
    await ledger.byHand(`${sql} where merchant_id = '${ledger.th}'`);
    await ledger.seal();
    expect((await ledger.found()).join()).toContain(`${signatureRule}: seal 1 of`);
  });

  test('a key that was put into the database by hand signs nothing', async () => {
    await ledger.seal();
    await ledger.byHand(
      `update seal_key set private_key = 'nonsense'`,
      `insert into seal_key (key_id, private_key, created_at) values ('seal-1', 'nonsense', now() - interval '1 day')`,
    );
    await ledger.makeDue();
    const outcome = auditSeals(ledger.domain, { forMs: minute, files: ledger.files, now: () => sealable });
    expect(await outcome).toBe('finished');
    expect(await ledger.found()).toContain(`${signatureRule}: seal 1 of ${month}`);
  });

  test('a seal that was replaced by another seal of the same merchant is reported', async () => {
    await ledger.seal();
    await ledger.domain.commit(aTopUp(ledger.th, 'T-1', '1.00'));
    const later = endOfPeriod(nextPeriod(month)) + 2 * day;
    await ledger.seal(later);
    await ledger.byHand(
      `update period_seal s set (content, signature, rows) = (select content, signature, rows from period_seal o where o.merchant_id = s.merchant_id and o.seal_no = 1)
       where merchant_id = '${ledger.th}' and seal_no = 2`,
    );
    await ledger.seal(later);
    expect(await ledger.found()).toContain(`${signatureRule}: seal 2 of ${nextPeriod(month)}`);
  });

  test('a seal is not accepted if its key was replaced before the month ended', async () => {
    const old = await openSealKeys(ledger.domain, { mayMake: true });
    await makeSealKey(ledger.domain, ledger.domain.vault);
    await ledger.seal();
    expect(await ledger.found()).toEqual([]);
    const [seal] = await ledger.query<Signed>('select content from period_seal order by merchant_id limit 1');
    const { keyId, signature } = old.sign(seal?.content ?? '');
    await ledger.byHand(
      `update period_seal set key_id = '${keyId}', signature = '${signature}' where content = '${seal?.content}'`,
    );
    const { violations } = await verifyAllSeals(ledger.domain, {});
    expect(violations).toMatchObject([{ rule: signatureRule, detail: expect.stringContaining('was replaced before') }]);
  });

  test('after a seal that is not genuine no further month is sealed', async () => {
    await ledger.seal();
    await ledger.byHand(
      `update period_seal set content = 'no seal' where merchant_id = '${ledger.th}'`,
      `delete from period_walk where merchant_id = '${ledger.th}'`,
    );
    await ledger.domain.commit(aTopUp(ledger.th, 'T-1', '1.00'));
    await ledger.seal(endOfPeriod(nextPeriod(month)) + 2 * day);
    expect(await ledger.found()).toContain(`${signatureRule}: seal 1 of ${month}`);
    expect((await ledger.seals()).filter(({ merchantId }) => merchantId === ledger.th)).toHaveLength(1);
  });

  test('if the reading position was set back to a sealed month, the month gets no second seal', async () => {
    await ledger.seal();
    await ledger.domain.commit(aTopUp(ledger.th, 'T-1', '1.00'));
    await ledger.seal();
    await ledger.byHand(
      `update period_walk set walk = walk || '{"sealNo": 2, "period": "${month}"}' where merchant_id = '${ledger.th}'`,
    );
    await ledger.seal();
    expect(await ledger.found()).toContain(`${missing}: seal 2`);
  });
});
