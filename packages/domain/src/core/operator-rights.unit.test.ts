import { expect, test } from 'vitest';
import { hasRole, mayAccess, type OperatorContext } from './operator-rights.ts';

// How far a restriction lets an operator go.

type Restriction = Pick<OperatorContext, 'countries' | 'merchantIds'>;
const free: Restriction = { countries: null, merchantIds: null };
const ofPk: Restriction = { countries: ['PK', 'IN'], merchantIds: null };
const ofShop: Restriction = { countries: null, merchantIds: ['PK-1', 'TH-1'] };
const ofBoth: Restriction = { countries: ['PK'], merchantIds: ['PK-1', 'TH-1'] };
const platform = { merchantId: null, country: null };

// biome-ignore format: a table is read by its columns
test.each<[string, Restriction, Parameters<typeof mayAccess>[1], boolean]>([
  ['without a restriction everything is allowed', free, { merchantId: 'PK-1', country: 'PK' }, true],
  ['without a restriction the platform is allowed too', free, platform, true],
  ['a country of the restriction', ofPk, { merchantId: 'PK-9', country: 'PK' }, true],
  ['a country outside of the restriction', ofPk, { merchantId: 'TH-1', country: 'TH' }, false],
  ['the tenant for unmatched money of a country', ofPk, { merchantId: 'PLATFORM-PK', country: 'PK' }, true],
  ['the platform, for one country', ofPk, platform, false],
  ['a merchant of no country, for some countries', ofPk, { merchantId: 'PK-1', country: null }, false],
  ['a country without a merchant, for two merchants', ofShop, { merchantId: null, country: 'PK' }, false],
  ['a merchant of the restriction', ofShop, { merchantId: 'TH-1', country: 'TH' }, true],
  ['a merchant outside of the restriction', ofShop, { merchantId: 'PK-9', country: 'PK' }, false],
  ['the platform, for two merchants', ofShop, platform, false],
  ['a merchant and a country of the restriction', ofBoth, { merchantId: 'PK-1', country: 'PK' }, true],
  ['a merchant of the restriction, in a country outside of it', ofBoth, { merchantId: 'TH-1', country: 'TH' }, false],
  ['a country of the restriction, with a merchant outside of it', ofBoth, { merchantId: 'PK-9', country: 'PK' }, false],
])('%s', (_, restriction, ownerOf, may) => {
  expect(mayAccess(restriction, ownerOf)).toBe(may);
});

test('any one of the needed roles is enough, and no role contains another', () => {
  expect(hasRole({ roles: ['viewer', 'finance'] }, ['operator', 'finance'])).toBe(true);
  expect(hasRole({ roles: ['admin'] }, ['operator', 'finance'])).toBe(false);
  expect(hasRole({ roles: [] }, ['viewer'])).toBe(false);
});
