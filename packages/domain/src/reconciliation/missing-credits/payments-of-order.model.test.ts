import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aPaidOrder, type LineOfOrder } from '../../testing/paid-order.ts';

const fixture = auditedDomain();
let orders = 0;

const inCents = (amount: string): number => Math.round(Number(amount) * 100);
const aVersion = fc.record({
  /** What the version shows of each payment, and then of the rest, under the order's number: in up to two lines. */
  shown: fc.array(fc.constantFrom(0, 0, 0.5, 1, 1), { minLength: 5, maxLength: 5 }),
  /** How what is missing ends before the next version; null: nobody decides. */
  ends: fc.option(fc.array(fc.constantFrom('posted', 'written_off', 'charged'), { minLength: 1, maxLength: 3 }), {
    nil: null,
  }),
});

test('nobody bears more, and nobody less, than what the last version does not show of an order', {
  timeout: 600_000,
}, async () => {
  const plan = fc.record({
    amounts: fc.constantFrom(['60.00', '40.00'], ['40.00', '30.00', '30.00']),
    versions: fc.array(aVersion, { minLength: 2, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ amounts, versions }) => {
      orders += 1;
      const paid = await aPaidOrder(fixture.domain, `model-${orders}`, amounts);
      let total = 0;
      for (const { shown, ends } of versions) {
        const own = amounts.map((amount, at) => Math.round(inCents(amount) * (shown[at] ?? 0)));
        const rest = 10_000 - own.reduce((sum, one) => sum + one, 0);
        const first = Math.round(rest * (shown[3] ?? 0));
        const second = Math.round((rest - first) * (shown[4] ?? 0));
        const all = [...own.entries(), ['order', first], ['order', second]] as const;
        total = all.reduce((sum, [, cents]) => sum + cents, 0);
        const lines = all.map(([of, cents]): LineOfOrder => [of, (cents / 100).toFixed(2)]);
        await paid.shows(...lines.filter(([, gross]) => gross !== '0.00'));
        if (ends !== null) await paid.ends(...ends);
      }
      await paid.ends();
      const [wallet = 0, held, platform = 0, nobody = 0] = (await paid.book()).map(inCents);
      expect(10_000 - wallet + platform + nobody).toBe(10_000 - total);
      expect(Math.min(10_000 - wallet, platform, nobody)).toBeGreaterThanOrEqual(0);
      expect(held).toBe(nobody);
    }),
    { numRuns: process.env.TIDEGATE_TEST_DEPTH === undefined ? 3 : 20, endOnFailure: true },
  );
});
