import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFundedMerchant } from '@tidegate/domain/testing';
import { auditSeals } from '@tidegate/domain/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminFixture, openAdminFixture } from '../test/admin-fixture.ts';

// What an operator sees of the seals' files, on the command line.

let fixture: AdminFixture;
let merchantId = '';
let folder = '';
beforeAll(async () => {
  fixture = await openAdminFixture();
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'IN'));
  const inTwoMonths = () => Date.now() + 62 * 24 * 60 * 60_000;
  expect(await auditSeals(fixture.domain, { forMs: 60_000, files: null, now: inTwoMonths })).toBe('finished');
  folder = fixture.folder('seals');
});
afterAll(() => fixture.close());

const verify = () => fixture.run(['verify-seals', '--files', folder]);
const copy = () => fixture.run(['copy-seals', folder]);

test('a new folder gets all files, once, and they are verified', async () => {
  expect(await copy()).toMatchObject({ code: 0, out: expect.stringMatching(/^[1-9][0-9]* written, 0 were there/) });
  expect(await copy()).toMatchObject({ code: 0, out: expect.stringMatching(/^0 written, [1-9]/) });
  expect(readdirSync(join(folder, merchantId))).toHaveLength(1);
  expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('All seals are genuine.') });
  const one = await fixture.json(['verify-seals', '--merchant', merchantId, '--files', folder]);
  expect(one).toMatchObject({ checked: { seals: 1 }, violations: [] });
});

test('a file that was changed is found and not replaced; a lost one is written again', async () => {
  await copy();
  const [name = ''] = readdirSync(join(folder, merchantId));
  const file = join(folder, merchantId, name);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace('entryNo', 'entryNr');
  rmSync(file);
  writeFileSync(file, changed);
  // As if an audit had written the files already. Only then is a missing file a violation.
  const { pool } = fixture.domain.database;
  await pool.query('update period_seal set filed_at = clock_timestamp()');
  for (const ran of [await verify(), await copy()])
    expect(ran).toMatchObject({ code: 1, out: expect.stringMatching(/Violations: 1[\s\S]*its file has another text/) });
  expect(readFileSync(file, 'utf8')).toBe(changed);
  rmSync(file);
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('its file is missing') });
  expect(await copy()).toMatchObject({ code: 0, out: expect.stringMatching(/^1 written/) });
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(await verify()).toMatchObject({ code: 0 });
});

test('a folder that is not there is refused with a message that names it', async () => {
  const gone = join(folder, 'unmounted');
  for (const args of [
    ['verify-seals', '--files', gone],
    ['copy-seals', gone],
  ])
    expect(await fixture.run(args)).toMatchObject({ code: 1, err: expect.stringContaining(`${gone}`) });
  expect(readdirSync(folder)).not.toContain('unmounted');
});
