import { expect, test } from 'vitest';
import { openVault } from './vault.ts';

const vault = openVault('ab'.repeat(32));
const sealed = vault.seal('a secret', 'here');

test('a text that was sealed for a place opens there', () => {
  expect(vault.open(sealed, 'here')).toBe('a secret');
});

test.each([
  ['for another place', sealed, 'there'],
  ['with a changed byte', Buffer.from(sealed).fill(sealed.readUInt8(14) ^ 1, 14, 15), 'here'],
  ['without its last byte', sealed.subarray(0, -1), 'here'],
  ['cut to its nonce and a tag of four bytes', sealed.subarray(0, 16), 'here'],
  ['cut to eight bytes', sealed.subarray(0, 8), 'here'],
  ['that is empty', Buffer.alloc(0), 'here'],
])('a sealed text %s does not open', (_, bytes, context) => {
  expect(() => vault.open(bytes, context)).toThrow();
});

test('an authentication tag that is too short is refused by its length', () => {
  expect(() => vault.open(sealed.subarray(0, 8), 'here')).toThrow(/authentication tag length/i);
});
