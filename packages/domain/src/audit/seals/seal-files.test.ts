import { createPublicKey, verify } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minute, month, openSealedLedger, type SealedLedger, sealable } from '../../../test/sealed-ledger.ts';
import { auditSeals } from '../audit-seals.ts';
import { verifyAllSeals } from '../verify-all-seals.ts';
import { sealFilesIn } from './seal-files.ts';

// The files of seals outside the database: who changes the database or a file is found by the other.

const missing = 'no seal is missing';
const inFiles = 'files of seals are as the seals in the database';

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await openSealedLedger();
});
afterEach(() => ledger.close());

const nameOf = (merchantId: string): string => join(ledger.dir, merchantId, `0001-${month}.json`);

describe('a file of a seal', () => {
  test('is reported if it is missing, changed or of an unknown seal, and not if it is correct', async () => {
    await ledger.seal();
    const text = await readFile(nameOf(ledger.th), 'utf8');
    await rm(nameOf(ledger.th));
    await ledger.seal();
    expect(await ledger.found()).toEqual([`${inFiles}: seal 1 of ${month}`]);
    await writeFile(nameOf(ledger.th), text.replace('a', 'b'));
    expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir, merchantId: ledger.th })).violations).toEqual([
      { rule: inFiles, merchantId: ledger.th, subject: `seal 1 of ${month}`, detail: 'its file has another text' },
    ]);
    await writeFile(nameOf(ledger.th), 'x'.repeat(100_000));
    expect((await verifyAllSeals(ledger.domain, { dir: ledger.dir, merchantId: ledger.th })).violations).toHaveLength(
      1,
    );
    await writeFile(nameOf(ledger.th), text);
    await writeFile(join(ledger.dir, ledger.th, '0002-2001-01.json'), text);
    const { violations } = await verifyAllSeals(ledger.domain, { dir: ledger.dir });
    expect(violations.map(({ rule, subject }) => `${rule}: ${subject}`)).toEqual([
      `${missing}: file 0002-2001-01.json`,
    ]);
  });

  test('can be verified by the public key that it contains', async () => {
    await ledger.seal();
    const { content, publicKey, signature } = JSON.parse(await readFile(nameOf(ledger.th), 'utf8'));
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'))).toBe(true);
    expect(JSON.parse(content)).toMatchObject({ merchantId: ledger.th, sealNo: 1, period: month });
  });

  test('is also written for seals that are older than the folder', async () => {
    await ledger.seal(sealable, null);
    expect(await readdir(ledger.dir)).toEqual([]);
    await ledger.seal();
    expect(await readdir(ledger.dir)).toEqual(expect.arrayContaining(ledger.merchants));
    expect((await ledger.seals()).every(({ isFiled }) => isFiled)).toBe(true);
  });
});

test.each([
  ['of a merchant', (merchantId: string) => `delete from period_seal where merchant_id = '${merchantId}'`],
  ['of all merchants', () => 'delete from period_seal'],
])('a deleted last seal %s is found by the next run, with files and without', async (_, sql) => {
  await ledger.seal();
  await ledger.byHand(sql(ledger.th));
  expect((await verifyAllSeals(ledger.domain, {})).violations).toContainEqual(
    expect.objectContaining({ rule: missing, merchantId: ledger.th, subject: 'seal 1' }),
  );
  await ledger.seal();
  expect(await ledger.found()).toEqual(
    expect.arrayContaining([`${missing}: seal 1`, `${missing}: file 0001-${month}.json`]),
  );
  await ledger.byHand('delete from period_walk', 'delete from period_seal');
  const { violations } = await verifyAllSeals(ledger.domain, { dir: ledger.dir });
  expect(violations.map(({ subject }) => subject)).toContain('files');
});

test('a missing folder is not created, and other files in the folder are left unchanged', async () => {
  const gone = sealFilesIn(join(ledger.dir, 'unmounted'));
  await ledger.makeDue();
  const run = auditSeals(ledger.domain, { forMs: minute, files: gone, now: () => sealable });
  await expect(run).rejects.toThrow('unmounted');
  expect(await readdir(ledger.dir)).toEqual([]);
  await mkdir(join(ledger.dir, 'lost+found'));
  await mkdir(join(ledger.dir, '%zz'));
  await ledger.seal();
  expect(await ledger.found()).toEqual([]);
});

test('the same rows give the same seals, so a restored backup from before the seals causes no violation', async () => {
  await ledger.seal();
  const before = await ledger.seals();
  const text = await readFile(nameOf(ledger.th), 'utf8');
  await ledger.byHand('delete from period_seal', 'delete from period_walk');
  await ledger.seal();
  expect(await ledger.seals()).toEqual(before);
  expect(await readFile(nameOf(ledger.th), 'utf8')).toBe(text);
  expect(await ledger.found()).toEqual([]);
});

test('a month that was rewritten with all hashes and without its seal is found by the file of the seal, which is kept', async () => {
  await ledger.seal();
  const text = await readFile(nameOf(ledger.th), 'utf8');
  await ledger.rewriteLastEntry();
  await ledger.byHand('delete from period_seal', 'delete from period_walk', 'delete from audit_checkpoint');
  await ledger.seal();
  expect((await ledger.seals()).find(({ merchantId }) => merchantId === ledger.th)).toMatchObject({ isFiled: false });
  expect(await ledger.found()).toEqual([`${inFiles}: seal 1 of ${month}`]);
  expect(await readFile(nameOf(ledger.th), 'utf8')).toBe(text);
});
