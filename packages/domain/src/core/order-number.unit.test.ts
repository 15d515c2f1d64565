import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeOrderNo, merchantTag, tagOfOrderNo } from './order-number.ts';

const times = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2200, 0) });
const merchants = fc.stringMatching(/^[A-Z0-9-]{3,32}$/);
const bytes = fc.uint8Array({ minLength: 12, maxLength: 12 });

test('an order number has PI or PO, then digits and upper-case letters, at most 32 characters', () => {
  fc.assert(
    fc.property(
      merchants,
      times,
      bytes,
      fc.constantFrom('payin' as const, 'payout' as const),
      (id, now, random, kind) => {
        const orderNo = makeOrderNo(kind, id, now, random);
        expect(orderNo).toMatch(kind === 'payin' ? /^PI[0-9A-Z]{25}$/ : /^PO[0-9A-Z]{25}$/);
        expect(tagOfOrderNo(orderNo)).toBe(merchantTag(id));
      },
    ),
  );
});

test('order numbers sort by the time of creation', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 1e9 }), merchants, merchants, bytes, (now, later, a, b, random) => {
      expect(makeOrderNo('payin', a, now, random) < makeOrderNo('payin', b, now + later, new Uint8Array(12))).toBe(
        true,
      );
    }),
  );
});

test('two order numbers of the same moment differ, and are not consecutive', () => {
  const orderNos = new Set(
    Array.from({ length: 10_000 }, () => makeOrderNo('payin', 'TH-1', 1_800_000_000_000, randomBytes(12))),
  );
  expect(orderNos.size).toBe(10_000);
  const last = new Set([...orderNos].map((orderNo) => orderNo.at(-1)));
  expect(last.size).toBe(32);
});

test.each([
  '',
  'XPI0000000000000000000000000',
  'PI',
  'PI1',
  'PI000000000000000000000000',
  'PI00000000000000000000000000',
  'pi0000000000000000000000000',
  'PX0000000000000000000000000',
  'PI000000000000000000000000U',
  "PI00000000000'; drop table--",
  'PI000000000000000000000000\n',
])('%j is not an order number of ours', (orderNo) => {
  expect(tagOfOrderNo(orderNo)).toBeNull();
});
