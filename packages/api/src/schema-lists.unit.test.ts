import { expect, test } from 'vitest';
import { connections, isInNoList, listOfOwners, selectionOfOwner } from '../test/schema-lists.ts';

const owners = [...new Set(connections.map(({ owner }) => owner))];

test('each type with lists says how a test selects it', () => {
  expect(owners.length).toBeGreaterThan(5);
  expect(owners.filter((owner) => owner !== 'Query' && !(owner in selectionOfOwner))).toEqual([]);
  expect(owners.filter((owner) => !isInNoList(owner) && !(owner in listOfOwners))).toEqual([]);
});

test('no row is left of a type that has no lists', () => {
  const named = [...Object.keys(selectionOfOwner), ...Object.keys(listOfOwners)];
  expect(named.filter((owner) => !owners.includes(owner))).toEqual([]);
});
