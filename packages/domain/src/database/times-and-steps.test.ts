import { afterAll, beforeAll, expect, test } from 'vitest';
import { batch, entry, oneBatch, record, set, step, transfer } from '../../test/forged-rows.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { placePayin } from '../testing/payins.ts';
import { ledgerRoles } from './role-grants.ts';

// When rows of the ledger happened, and in which sequence: a stolen role of the ledger cannot say otherwise.

let stolen: StolenRoles;
beforeAll(async () => {
  stolen = await openStolenRoles();
});
afterAll(() => stolen.close());

const attack: StolenRoles['attack'] = (...args) => stolen.attack(...args);

test('a step of an order follows the one before, in number, status and time', async () => {
  const { orderNo } = await placePayin(stolen.owner.domain, stolen.merchantId, 'IN');
  await attack('rest_ledger', [batch(), step(orderNo), set(oneBatch)()]);
  for (const forged of [{ seq: '2147483647' }, { seq: 't.seq + 2' }, { at: "'2001-01-01'" }, { from: "'failed'" }])
    await expect(
      attack('rest_ledger', [batch(), step(orderNo, forged), set(oneBatch)()]),
      JSON.stringify(forged),
    ).rejects.toThrow('it does not follow the one before');
  // Nor is there one that no link of the chain covers.
  for (const lonely of [
    [step(orderNo)],
    [batch(), step(orderNo, { batch_no: 'w.last_batch_no' }), set(oneBatch)()],
    [batch(), step(orderNo, { at: "'9000-01-01'" }), set(oneBatch)()],
  ])
    await expect(attack('rest_ledger', lonely)).rejects.toThrow('its wallet does not count it');
});

test.each(ledgerRoles)('the role %s dates nothing before or after its transaction', async (role) => {
  const rows = [entry()(), transfer()(), ...(role === 'rest_ledger' ? [] : [record('proveSettlement', 'x')()])];
  for (const time of ["'2020-01-01'", "'2099-01-01'", "now() - interval '6 minutes'", "now() + interval '1 s'"]) {
    const dated = (statement: string) => statement.replaceAll('now()', time);
    for (const row of rows)
      await expect(attack(role, [batch(), dated(row)]), dated(row)).rejects.toThrow('its wallet does not count it');
    // The wallet keeps the time of its last link.
    await expect(attack(role, [dated(batch()), set(oneBatch)()]), time).rejects.toThrow('its wallet does not count it');
  }
});
