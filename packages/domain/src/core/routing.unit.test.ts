import { expect, test } from 'vitest';
import { Money } from './money.ts';
import { type BankMapping, isWithin, type Route, type RoutingRequest, routesFor } from './routing.ts';

const route = (channelId: string, changes: Partial<Route> = {}): Route => ({
  kind: 'payin',
  bankCode: null,
  channelId,
  mode: 'upstream',
  minAmount: '1.00',
  maxAmount: '1000.00',
  priority: 100,
  weight: 1,
  ...changes,
});
const mapping = (channelId: string, bankCode: string, changes: Partial<BankMapping> = {}): BankMapping => ({
  channelId,
  kind: 'payin',
  bankCode,
  channelBankCode: `${channelId}:${bankCode}`,
  ...changes,
});

interface Given {
  routes: Route[];
  mappings?: BankMapping[];
  kind?: RoutingRequest['kind'];
  bankCode?: string;
  amount?: string;
  mappingRequired?: boolean;
}

/** The channels in their order, or the refusal. */
function ways(given: Given, random = () => 0): string {
  const { kind = 'payin', bankCode = null, amount = '100.00', mappingRequired = false } = given;
  const request = { kind, bankCode, amount: Money.of(amount, 'PKR'), mappingRequired };
  const routing = routesFor(given.routes, given.mappings ?? [], request, random);
  return routing.ok ? routing.candidates.map((c) => c.channelId).join(' ') : routing.rejection;
}

test.each<[name: string, given: Given, expected: string]>([
  ['no route at all', { routes: [] }, 'no_channel_available'],
  ['only routes of the other kind', { routes: [route('a', { kind: 'payout' })] }, 'no_channel_available'],
  ['only a route for another code', { routes: [route('a', { bankCode: 'HBL' })] }, 'no_channel_available'],
  ['by priority', { routes: [route('b', { priority: 2 }), route('a', { priority: 1 })] }, 'a b'],
  [
    'a route for the bank code before a general route',
    { routes: [route('a'), route('b', { bankCode: 'HBL' })], bankCode: 'HBL' },
    'b',
  ],
  [
    'an unknown bank code takes the general route',
    { routes: [route('a'), route('b', { bankCode: 'HBL' })], bankCode: 'XX' },
    'a',
  ],
  ['the amount at the lower limit', { routes: [route('a')], amount: '1.00' }, 'a'],
  ['the amount at the upper limit', { routes: [route('a')], amount: '1000.00' }, 'a'],
  ['just below the lower limit', { routes: [route('a')], amount: '0.99' }, 'amount_out_of_range'],
  ['just above the upper limit', { routes: [route('a')], amount: '1000.01' }, 'amount_out_of_range'],
  ['the only usable route', { routes: [route('a', { maxAmount: '50.00' }), route('b')] }, 'b'],
  [
    'no bank mapping',
    { routes: [route('a', { kind: 'payout' })], kind: 'payout', bankCode: 'HBL', mappingRequired: true },
    'bank_mapping_not_found',
  ],
  [
    'a bank mapping for the other kind only',
    {
      routes: [route('a', { kind: 'payout' })],
      mappings: [mapping('a', 'HBL')],
      kind: 'payout',
      bankCode: 'HBL',
      mappingRequired: true,
    },
    'bank_mapping_not_found',
  ],
  [
    'only a channel with a bank mapping',
    {
      routes: [route('a', { kind: 'payout' }), route('b', { kind: 'payout' })],
      kind: 'payout' as const,
      mappings: [mapping('b', 'HBL', { kind: 'payout' })],
      bankCode: 'HBL',
      mappingRequired: true,
    },
    'b',
  ],
  [
    'a bank mapping, but an amount above the limit',
    {
      routes: [route('a', { kind: 'payout' })],
      kind: 'payout' as const,
      amount: '5000.00',
      mappings: [mapping('a', 'HBL', { kind: 'payout' })],
      bankCode: 'HBL',
      mappingRequired: true,
    },
    'amount_out_of_range',
  ],
  [
    'a bank mapping for another bank only',
    { routes: [route('a')], mappings: [mapping('a', 'UBL')], bankCode: 'HBL', mappingRequired: true },
    'bank_mapping_not_found',
  ],
  [
    'without a bank code only the general route',
    { routes: [route('b', { bankCode: 'HBL', priority: 1 }), route('a')] },
    'a',
  ],
  [
    'no bank mapping on the task market either',
    { routes: [route('a', { mode: 'market' })], bankCode: 'HBL', mappingRequired: true },
    'bank_mapping_not_found',
  ],
  [
    'a bank mapping on the task market',
    {
      routes: [route('a', { mode: 'market' })],
      mappings: [mapping('a', 'HBL')],
      bankCode: 'HBL',
      mappingRequired: true,
    },
    'a',
  ],
])('%s', (_, given, expected) => {
  expect(ways(given)).toBe(expected);
});

test("a candidate has its mode and its channel's bank code", () => {
  const request = { kind: 'payin' as const, bankCode: 'HBL', amount: Money.of('5.00', 'PKR'), mappingRequired: false };
  const routing = routesFor([route('a'), route('b', { mode: 'manual' })], [mapping('b', 'HBL')], request, () => 0);
  expect(routing).toEqual({
    ok: true,
    candidates: [
      { channelId: 'a', mode: 'upstream', channelBankCode: null },
      { channelId: 'b', mode: 'manual', channelBankCode: 'b:HBL' },
    ],
  });
});

test('routes of equal priority are drawn by weight, and every route stays a fallback', () => {
  const routes = [route('a', { weight: 1 }), route('b', { weight: 3 }), route('z', { priority: 200, weight: 1000 })];
  // The ticket runs through the whole drum: a quarter draws a, three quarters draw b.
  const draws = Array.from({ length: 100 }, (_, i) => ways({ routes }, () => (i + 0.5) / 100));
  expect(draws.filter((draw) => draw === 'a b z')).toHaveLength(25);
  expect(draws.filter((draw) => draw === 'b a z')).toHaveLength(75);
  expect(ways({ routes }, () => 1 - 2 ** -53)).toBe('b a z');
  // Just at the end of a's quarter the ticket is b's.
  expect(ways({ routes }, () => 0.25)).toBe('b a z');
});

test('limits include both ends', () => {
  const limits = { minAmount: '0.01', maxAmount: '999999999.99' };
  const within = (amount: string): boolean => isWithin(Money.of(amount, 'PKR'), limits);
  expect(['0.01', '999999999.99'].every(within)).toBe(true);
  expect(['0.00', '1000000000.00'].some(within)).toBe(false);
});

test('a channel that does not answer comes after other channels, and before routes that people work on', () => {
  const routes = [
    route('silent', { priority: 1 }),
    route('people', { priority: 2, mode: 'manual' }),
    route('other', { priority: 1 }),
    route('late', { priority: 3 }),
  ];
  const request = { kind: 'payin', bankCode: null, amount: Money.of('100.00', 'PKR'), mappingRequired: false } as const;
  const healthOf = (channelId: string) => ({ weightFactor: 1, isLast: channelId === 'silent' });
  const routing = routesFor(routes, [], request, () => 0, healthOf);
  expect(routing.ok && routing.candidates.map(({ channelId }) => channelId)).toEqual([
    'other',
    'silent',
    'people',
    'late',
  ]);
});
