import { expect, test } from 'vitest';
import { inputFields } from './input-schemas.ts';
import type { AnyOperation } from './operation.ts';
import { type OperationName, operations, titleOfApproval } from './operations.ts';

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

const title = (operation: string, input: object): string => titleOfApproval({ operation, input: { ...input } });

test('every operation that may need a second operator has words, and no other', () => {
  const forTwo = Object.entries(operations).filter(([, operation]: [string, AnyOperation]) => operation.needsSecond);
  const titled = Object.entries(operations).filter(([, operation]: [string, AnyOperation]) => operation.title);
  expect(titled.map(([name]) => name)).toEqual(forTwo.map(([name]) => name));
});

test.each<[OperationName, object, string]>([
  ['resolvePayout', { outcome: 'paid' }, 'Mark paid'],
  ['resolvePayout', { outcome: 'failed' }, 'Mark failed'],
  ['resolveRefund', { outcome: 'refunded' }, 'Mark refunded'],
  ['resolveRefund', { outcome: 'failed' }, 'Mark the refund failed'],
  ['creditCase', {}, 'Credit to its order'],
  ['creditCase', { orderNo: 'PI1' }, 'Credit to order PI1'],
  ['creditCase', { toMerchantId: 'M1001' }, 'Credit to the wallet of M1001'],
  ['returnCase', {}, 'Close as returned'],
  ['returnCase', { way: 'by_channel' }, 'Send back through the channel'],
  ['resolveBreak', { outcome: 'linked', otherBreakNo: 5 }, 'Link to break 5'],
  ['resolveBreak', { outcome: 'linked' }, 'Link as repeated'],
  ['resolveBreak', { outcome: 'charged' }, 'Charge the merchant'],
  ['failSettlement', { seenState: 'submitted' }, 'Mark the settlement failed'],
  ['changeOperator', { operatorId: 'ann', roles: ['finance', 'admin'] }, 'Set the roles to finance, admin'],
  ['changeOperator', { operatorId: 'ann', countries: null }, 'Change countries'],
  ['setFeeRule', { kind: 'payin', percent: '2.5', fixed: '1.00' }, 'Set the fee of payins to 2.5 % + 1.00'],
  ['setMerchant', { merchantId: 'M1001', ipAllowList: null }, 'Change IP allow list'],
  [
    'setChannel',
    { channelId: 'c', adapter: 'fake', baseUrl: 'https://c.test', credentials: ['key'], payinExpirySeconds: 60 },
    'Change base URL, credentials, payin expiry seconds',
  ],
  ['setChannel', { channelId: 'c', adapter: 'fake' }, 'Use the adapter fake'],
  ['setCsvProfile', { name: 'bank', basedOn: 2 }, 'Set version 3 of the CSV profile'],
  ['setSettlementCycle', { account: ['holder'] }, 'Set the bank account of settlements'],
])('%s of %j is called "%s"', (operation, input, words) => {
  expect(title(operation, input)).toBe(words);
});

test('an operation of another version has its name as words', () => {
  expect(title('foldWallet', {})).toBe('Fold wallet');
  expect(title('constructor', {})).toBe('Constructor');
});

test.each([
  ['ใจดี', true],
  ['नमस्ते\u200dक', true],
  ['\u3164', false],
  ['\u2800', false],
  ['\u200b', false],
  ['A\u202eb', false],
  ['A\u2066b', false],
])('whether %j is a name that people can read as it is: %s', (name, isOne) => {
  expect(operations.setMerchant.input.safeParse({ merchantId: 'TH10001', name }).success).toBe(isOne);
});

test.each([
  ['UTR 12-3', true],
  ['ใบโอน 7', true],
  ['ＵＴＲ１', true],
  ['UTR\u0661\u0662\u0663', false],
  ['๑๒๓', false],
  ['----', false],
  ['/', false],
])('whether %j is the reference of a payment: %s', (reference, isOne) => {
  const confirm = operations.confirmFunds.input.safeParse({ orderNo: 'PI1', amount: '1.00', reference });
  const prove = operations.provePayoutTask.input.safeParse({ orderNo: 'PO1', reference, payer: 'Ann' });
  expect([confirm.success, prove.success]).toEqual([isOne, isOne]);
});

test.each([
  [9, false],
  [10, true],
  [1_000, true],
  [1_001, false],
])('whether evidence of %i characters is long and short enough: %s', (length, isOne) => {
  const named = { channelId: 'c', adapter: 'fake', baseUrl: 'https://c.test', credentials: [] };
  for (const character of ['x', '\u{1f600}']) {
    const read = operations.setChannel.input.safeParse({ ...named, modeEvidence: character.repeat(length) });
    expect(read.error?.issues.filter(({ path }) => path[0] === 'modeEvidence') ?? []).toHaveLength(isOne ? 0 : 1);
  }
});
