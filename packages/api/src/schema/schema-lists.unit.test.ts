import { expect, test } from 'vitest';
import { connections, isInNoList, listOfOwners, selectionOfOwner } from '../../test/schema-lists.ts';

const owners = [...new Set(connections.map(({ owner }) => owner))];

test('for each type with lists the tests know how to select it', () => {
  expect(owners.length).toBeGreaterThan(5);
  expect(owners.filter((owner) => owner !== 'Query' && !(owner in selectionOfOwner))).toEqual([]);
  expect(owners.filter((owner) => !isInNoList(owner) && !(owner in listOfOwners))).toEqual([]);
});

test('the tables of this test name only types that have lists', () => {
  const named = [...Object.keys(selectionOfOwner), ...Object.keys(listOfOwners)];
  expect(named.filter((owner) => !owners.includes(owner))).toEqual([]);
});
