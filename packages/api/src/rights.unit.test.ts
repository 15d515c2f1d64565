import { operations } from '@tidegate/domain/operators';
import { expect, test } from 'vitest';
import { rootFields, scopesOf } from '../test/root-fields.ts';

// Who may use each field, as it is declared. rights.test.ts sends each field as each role.

test('every field at the root declares its scopes', () => {
  expect(rootFields.length).toBeGreaterThan(50);
  const undeclared = rootFields.filter(({ field }) => {
    const scopes = scopesOf(field);
    return scopes?.operator !== true && !(scopes?.roles && scopes.roles.length > 0);
  });
  expect(undeclared.map(({ root, field }) => `${root}.${field.name}`)).toEqual([]);
});

test('every operation of the domain is a mutation with the same roles', () => {
  const mutations = new Map(
    rootFields.filter(({ root }) => root === 'Mutation').map(({ field }) => [field.name, field]),
  );
  for (const [name, { roles }] of Object.entries(operations)) {
    const field = mutations.get(name);
    expect(field, name).toBeDefined();
    expect([name, field && scopesOf(field)?.roles]).toEqual([name, roles]);
  }
  expect([...mutations.keys()].filter((name) => !(name in operations)).sort()).toEqual([
    'addNote',
    'approve',
    'assignWork',
    'cancelExport',
    'deleteView',
    'reject',
    'releaseWork',
    'requestExport',
    'saveView',
    'setPreferences',
    'takeWork',
    'withdraw',
  ]);
});
