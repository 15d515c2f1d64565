import { expect, test } from 'vitest';
import { inputFields } from './input-schemas.ts';
import { operations } from './operations.ts';

// The table of operations, without a database.

test('every input field has a schema and a description, and only channels and bank accounts take secrets', () => {
  for (const [name, { input, summary }] of Object.entries(operations)) {
    expect(summary, name).toMatch(/^[A-Z].+\.$/);
    for (const field of inputFields(input)) expect(field.about, `${name}.${field.name}`).not.toBe('');
  }
  const withSecrets = Object.entries(operations).filter(([, { input }]) =>
    inputFields(input).some(({ form }) => form === 'secrets'),
  );
  expect(withSecrets.map(([name]) => name)).toEqual(['setChannel', 'setSettlementCycle', 'createSettlementFile']);
});
