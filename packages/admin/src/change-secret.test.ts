import { openDomain } from '@tidegate/domain';
import { verifyAllSeals } from '@tidegate/domain/admin';
import { aMerchant, makeCommonKey } from '@tidegate/domain/testing';
import { auditSeals } from '@tidegate/domain/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AdminFixture, openAdminFixture } from '../test/admin-fixture.ts';

let fixture: AdminFixture;
let merchantId = '';
beforeAll(async () => {
  fixture = await openAdminFixture();
  await makeCommonKey(fixture.domain);
  ({ merchantId } = await aMerchant(fixture.domain, 'IN'));
  expect(await fixture.json(['migrate'])).toMatchObject({ serviceKeysMade: 1, commonKey: { endsAt: null } });
});
afterAll(() => fixture.close());

const why = ['--reason', 'the old one leaked'];
const next = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef0123456789';

const openWith = (secret: string) =>
  openDomain({
    databaseUrl: fixture.env.DATABASE_URL ?? '',
    secret,
    adapters: {},
    publicBaseUrl: 'http://127.0.0.1',
    wakeUp: () => undefined,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });

async function signingKeyWith(secret: string, of = merchantId): Promise<string> {
  const domain = await openWith(secret);
  try {
    return (await domain.serviceKeys.signing(of)).keyId;
  } finally {
    await domain.close();
  }
}

test('after a change only the new secret opens sealed values, and only an admin may change it', async () => {
  const old = fixture.env.TIDEGATE_SECRET ?? '';
  const key = await signingKeyWith(old);
  const file = fixture.file('secret', `${next}\n`);
  const asVera = { env: { TIDEGATE_OPERATOR_TOKEN: fixture.tokens.vera } };
  expect(await fixture.run(['change-secret', file, ...why], asVera)).toMatchObject({ code: 1 });
  const weak = fixture.file('weak', '0'.repeat(64));
  expect(await fixture.run(['change-secret', weak, ...why])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/64 random/),
  });
  expect(await signingKeyWith(old)).toBe(key);
  const inTwoMonths = () => Date.now() + 62 * 24 * 60 * 60_000;
  const sealing = { forMs: 60_000, files: null, now: inTwoMonths };
  expect(await auditSeals(fixture.domain, sealing)).toBe('finished');

  // The months end before the change.
  vi.useFakeTimers({ toFake: ['Date'], now: inTwoMonths() });
  try {
    expect(await fixture.json(['change-secret', file, ...why])).toMatchObject({ serviceKeys: 2, sealKeys: 1 });
  } finally {
    vi.useRealTimers();
  }
  const withNext = await openWith(next);
  const report = await verifyAllSeals(withNext, {}).finally(() => withNext.close());
  expect(report).toMatchObject({ violations: [] });
  expect(report.seals).toBeGreaterThan(0);
  expect(await signingKeyWith(next)).toBe(key);
  await expect(signingKeyWith(old)).rejects.toThrow();
  await fixture.domain.database.pool.query('update service_key set retires_at = clock_timestamp()');
  expect(await signingKeyWith(next)).toMatch(new RegExp(`^${merchantId}[.]`));
  await expect(signingKeyWith(old)).rejects.toThrow();
  const { rows } = await fixture.domain.database.pool.query(
    `select actor, reason, detail from audit_record where action = 'changeSecret'`,
  );
  expect(rows).toMatchObject([{ actor: 'alice', reason: 'the old one leaked' }]);
  expect(JSON.stringify(rows)).not.toContain(next);
});
