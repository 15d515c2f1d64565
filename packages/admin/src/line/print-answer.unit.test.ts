import { expect, test } from 'vitest';
import { asText } from './print-answer.ts';

test('a record is printed as names and values; nested records have dotted names, and lists of records follow', () => {
  const record = {
    orderNo: 'PO1',
    failureReason: null,
    left: undefined,
    roles: ['admin', 'finance'],
    party: { name: 'Zoya' },
    history: [
      { from: 'new', to: 'created' },
      { from: 'created', to: 'failed', detail: 'no' },
    ],
  };
  expect(asText('Order PO1', record).split('\n')).toEqual([
    'Order PO1',
    '',
    '  orderNo        PO1',
    '  failureReason  –',
    '  roles          admin, finance',
    '  party.name     Zoya',
    '',
    'history',
    '  from     to       detail',
    '  new      created  –',
    '  created  failed   no',
  ]);
});

test('a list is printed as a table, and an empty list as its message', () => {
  expect(asText('Cases: 1', [{ caseNo: 1, amount: '5.00' }])).toBe('Cases: 1\n\n  caseNo  amount\n  1       5.00');
  expect(asText('No case is open.', [])).toBe('No case is open.');
});

test('a public key is printed unchanged, in a list too', () => {
  const pem = '-----BEGIN PUBLIC KEY-----\nMIIB+/aa==\n-----END PUBLIC KEY-----\n';
  const text = `  keyId  K1\n  publicKeyPem\n${pem.trim()}`;
  expect(asText('Made', { keyId: 'K1', publicKeyPem: pem })).toBe(`Made\n\n${text}`);
  expect(asText('Keys: 2', [{ keyId: 'K1', publicKeyPem: pem }, { keyId: 'K2' }])).toBe(
    `Keys: 2\n\n${text}\n\n  keyId  K2`,
  );
});

test('a text that only begins with a public key is printed in one line, like any other text', () => {
  const pem = '-----BEGIN PUBLIC KEY-----\nMIIB+/aa==\n-----END PUBLIC KEY-----\n';
  expect(asText('x', { remark: `${pem}gone\n` })).toBe(
    'x\n\n  remark  -----BEGIN PUBLIC KEY----- MIIB+/aa== -----END PUBLIC KEY----- gone ',
  );
});

test("control characters in a merchant's text do not reach the terminal", () => {
  const control = String.fromCharCode(27);
  expect(asText('x', { remark: `${control}[2J\u202Egone\n` })).toBe('x\n\n  remark   [2J gone ');
});
