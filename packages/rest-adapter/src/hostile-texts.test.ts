import type { Country } from '@tidegate/domain';
import { countries, countryRules } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileTexts } from '../../domain/src/testing/hostile-texts.ts';
import { ask, createPath, type Fixture, queryPath, signedGet, signedPost, startFixture } from '../test/rest-fixture.ts';

// Signed requests with hostile texts, and the request of another merchant at the same time.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(async () => {
  await fixture.close();
});

/** Far less than a quadratic pattern takes for 64 KiB, and far more than a busy machine. */
const patienceMs = 3_000;

/** A field of each request that has the form of an e-mail address or of a URL. */
const attacks: readonly [Country, 'payin' | 'payout', string][] = [
  ['CN', 'payin', 'notifyUrl'],
  ['TH', 'payin', 'payer_email'],
  ['IN', 'payin', 'notifyUrl'],
  ['IN', 'payout', 'notifyUrl'],
  ['PK', 'payin', 'payer_email'],
  ['PK', 'payout', 'payee_email'],
];

test('every country has an attack of each kind of order', () => {
  const kinds = countries.flatMap((country) => [
    `${country} payin`,
    ...(countryRules[country].payout === null ? [] : [`${country} payout`]),
  ]);
  expect(attacks.map(([country, kind]) => `${country} ${kind}`).toSorted()).toEqual(kinds.toSorted());
});

test.each(attacks)(
  '%s %s: a hostile %s is refused, and another merchant does not wait',
  async (country, kind, field) => {
    const { currency, [kind]: rules } = countryRules[country];
    const attacker = fixture.merchant({ country, currency });
    const honest = fixture.merchant();
    // Escaped for the signature, a character has up to three. More than 128 KiB would not be signed.
    for (const [shape, text] of hostileTexts(40_000)) {
      const body = JSON.stringify({ ...rules?.example, [field]: text });
      const hostile = await signedPost(attacker.merchantId, body);
      const query = 'orderNo=PI0000000000000000000000001';
      const signed = await signedGet(honest.merchantId, query);
      const began = performance.now();
      const attack = ask(`${fixture.url}${createPath.replace('payin', kind)}`, hostile);
      const beside = ask(`${fixture.url}${queryPath}?${query}`, signed).then((answer) => {
        expect(performance.now() - began, shape).toBeLessThan(patienceMs);
        return answer;
      });
      expect(await attack, shape).toMatchObject({ code: 40001, data: null });
      expect((await attack).msg).toContain(field);
      expect(await beside).toMatchObject({ code: 0 });
    }
  },
);
