import { expect, test } from 'vitest';
import { readSearch } from './read-search.ts';

const references = (text: string) => [{ channelRef: text }, { bankReference: text }];
const number = (text: string) => ({ merchantOrderNoStartsWith: text });

test.each([
  ['pi01k', [{ orderNoStartsWith: 'PI01K' }, number('pi01k'), { partyName: 'pi01k' }]],
  ['SHOP-1', [number('SHOP-1'), { partyName: 'SHOP-1' }]],
  ['9812345678', [number('9812345678'), { account: '9812345678' }, { phone: '9812345678' }]],
  ['+91 98123 45678', [{ account: '+91 98123 45678' }, { phone: '+91 98123 45678' }]],
  ['12345', [number('12345')]],
  ['PK36 SCBL 0000', [{ account: 'PK36 SCBL 0000' }, { partyName: 'PK36 SCBL 0000' }]],
  ['Asha Rao', [{ partyName: 'Asha Rao' }]],
  ['王小', [{ partyName: '王小' }]],
  ['ab', [{ merchantOrderNo: 'ab' }]],
])('the search text %j is read as its possible parts', (text, parts) => {
  expect(readSearch(` ${text} `, true)).toEqual([...references(text), ...parts]);
});

test('a search text is never read as account, phone or name for a caller who may not see personal data', () => {
  expect(readSearch('9812345678', false)).toEqual([...references('9812345678'), number('9812345678')]);
  expect(readSearch('Asha Rao', false)).toEqual(references('Asha Rao'));
});

test('a blank search text finds nothing', () => {
  expect(readSearch('  ', true)).toEqual([]);
});
