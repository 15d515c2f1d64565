import { expect, test } from 'vitest';
import { aNewOrder } from '../testing/on-paper.ts';
import { aDraft } from '../testing/settlements-on-paper.ts';
import {
  type Command,
  keeperOfId,
  merchantOf,
  namedApproval,
  namedCases,
  namedOrder,
  namedRefund,
  namedSettlement,
  neededApproval,
  needsCases,
  otherMerchantOf,
  uniqueOrders,
} from './commands.ts';

// What each command names, so that its rows can be loaded before it is decided.

const by = { actor: 'ann', approver: null, reason: 'a test' };
const ref = { merchantId: 'PK-1', orderNo: 'PO1' };
const proof = { reference: 'UTR', payer: 'ann', note: null };
const order = aNewOrder('PK');
const named = { merchantId: 'PLATFORM-PK', caseNo: 7, orderNo: 'PI9' };
const approval = { merchantId: 'PK-1', approvalId: 'A-1' };
const refund = { merchantId: 'PK-1', caseNo: 8, refundNo: 'RF1' };
const settlement = { merchantId: 'PK-1', seq: 2, settlementNo: 'STX000001', by };
const money = { channelId: 'fake', reference: 'P1', amount: '1.00' };

type Type = Command['type'];
type CommandOf<T extends Type, C = Command> = C extends { type: infer U }
  ? T extends U
    ? C & { type: T }
    : never
  : never;

const commands: { [T in Type]: CommandOf<T> } = {
  createPayin: { type: 'createPayin', order, submitAfter: 0, expiresIn: 1 },
  createPayout: { type: 'createPayout', order },
  applyReport: { type: 'applyReport', ref, channelId: 'fake', answer: { outcome: 'closed' }, during: 'query' },
  bookUnmatched: { type: 'bookUnmatched', merchantId: 'PLATFORM-PK', orderNo: 'PI9', direction: 'in', ...money },
  claimWork: { type: 'claimWork', ref, action: 'poll', lease: 1 },
  reroute: { type: 'reroute', ref, fromChannelId: 'a', toChannelId: 'b', toChannelBankCode: null, reason: 'no' },
  endClaim: { type: 'endClaim', ref, by: null },
  bookWallet: { type: 'bookWallet', merchantId: 'PK-1', entry: 'TOP_UP', amount: '1', bookingNo: 'B', remark: '', by },
  reverseBooking: {
    type: 'reverseBooking',
    merchantId: 'PK-1',
    bookingNo: 'REVERSAL/B',
    reverses: 'B',
    remark: '',
    by,
  },
  recordChange: { type: 'recordChange', merchantId: 'PK-1', change: 'setFeeRule', subject: 'x', by },
  cancelOrder: { type: 'cancelOrder', ref, confirmedBy: 'channel', by },
  confirmFunds: { type: 'confirmFunds', ref, amount: '1.00', reference: 'P1', by },
  resolvePayout: { type: 'resolvePayout', ref, outcome: 'paid', evidence: 'seen', by },
  creditCase: { type: 'creditCase', ...named, alsoCaseNos: [3, 5], toMerchantId: 'PK-1', by },
  returnCase: { type: 'returnCase', ...named, refundNo: 'RF1', by },
  chargeCase: { type: 'chargeCase', merchantId: 'PK-1', caseNo: 7, orderNo: 'PO1', by },
  writeOffCase: { type: 'writeOffCase', merchantId: 'PK-1', caseNo: 7, orderNo: null, by },
  claimRefund: { type: 'claimRefund', ...refund, action: 'send', attempt: 0, lease: 1 },
  applyRefund: { type: 'applyRefund', ...refund, answer: { outcome: 'failed', reason: 'no' }, during: 'query' },
  resolveRefund: { type: 'resolveRefund', ...refund, outcome: 'failed', evidence: 'seen', by },
  claimTask: { type: 'claimTask', ref, lease: 1, by },
  proveTask: { type: 'proveTask', ref, proof, by },
  acceptProof: { type: 'acceptProof', ref, lease: 1, by },
  rejectProof: { type: 'rejectProof', ref, lease: 1, by },
  draftSettlement: { type: 'draftSettlement', ...settlement, draft: aDraft() },
  approveSettlement: {
    type: 'approveSettlement',
    ...settlement,
    version: 1,
    accountId: 'A',
    credited: { amount: '0.00', throughEntryNo: 0 },
    bookingNo: 'STX000001',
  },
  paySettlement: { type: 'paySettlement', ...settlement, reference: 'R' },
  sendSettlement: { type: 'sendSettlement', ...settlement, channelId: 'c', channelBankCode: null, paymentNo: 'SP1' },
  claimSettlementPayment: { type: 'claimSettlementPayment', ...settlement, action: 'send', attempt: 0, lease: 1 },
  applySettlementPayment: {
    type: 'applySettlementPayment',
    ...settlement,
    paymentNo: 'SP1',
    answer: { outcome: 'accepted' },
    during: 'send',
  },
  confirmSettlement: { type: 'confirmSettlement', ...settlement, reference: 'R' },
  failSettlement: { type: 'failSettlement', ...settlement, seen: 'paid', detail: 'no', bookingNo: 'B' },
  requestApproval: {
    type: 'requestApproval',
    ...approval,
    operation: 'setFeeRule',
    subject: 'x',
    alsoSubjects: [],
    input: {},
    effect: null,
    secrets: null,
    lifetime: 1,
    by,
  },
  rejectApproval: { type: 'rejectApproval', ...approval, outcome: 'no', by },
  withdrawApproval: { type: 'withdrawApproval', ...approval, outcome: 'no', by },
  failApproval: { type: 'failApproval', ...approval, outcome: 'no', by },
};
const types = Object.keys(commands) as Command['type'][];

// biome-ignore format: a table is read by its columns
test.each<[Command['type'], keeper: string | null, merchant: string, other: string | null, order: string | null]>([
  ['createPayin',   null,     'PK-1',        null,   null],
  ['createPayout',  null,     'PK-1',        null,   null],
  ['applyReport',   null,     'PK-1',        null,   'PK-1 PO1'],
  ['bookUnmatched', null,     'PLATFORM-PK', null,   'PLATFORM-PK PI9'],
  ['claimWork',     'order',  'PK-1',        null,   'PK-1 PO1'],
  ['reroute',       'order',  'PK-1',        null,   'PK-1 PO1'],
  ['endClaim',      'order',  'PK-1',        null,   'PK-1 PO1'],
  ['bookWallet',    'record', 'PK-1',        null,   null],
  ['reverseBooking', 'record', 'PK-1',       null,   null],
  ['recordChange',  'record', 'PK-1',        null,   null],
  ['cancelOrder',   'record', 'PK-1',        null,   'PK-1 PO1'],
  ['confirmFunds',  'record', 'PK-1',        null,   'PK-1 PO1'],
  ['resolvePayout', 'record', 'PK-1',        null,   'PK-1 PO1'],
  ['creditCase',    'record', 'PLATFORM-PK', 'PK-1', 'PK-1 PI9'],
  ['returnCase',    'record', 'PLATFORM-PK', null,   'PLATFORM-PK PI9'],
  ['chargeCase',    'record', 'PK-1',        null,   'PK-1 PO1'],
  ['writeOffCase',  'record', 'PK-1',        null,   null],
  ['claimRefund',   'refund', 'PK-1',        null,   null],
  ['applyRefund',   null,     'PK-1',        null,   null],
  ['resolveRefund', 'record', 'PK-1',        null,   null],
  ['claimTask',     'record', 'PK-1',        null,   'PK-1 PO1'],
  ['proveTask',     'record', 'PK-1',        null,   'PK-1 PO1'],
  ['acceptProof',   'record', 'PK-1',        null,   'PK-1 PO1'],
  ['rejectProof',   'record', 'PK-1',        null,   'PK-1 PO1'],
  ['draftSettlement',    'record', 'PK-1',   null,   null],
  ['approveSettlement',  'record', 'PK-1',   null,   null],
  ['paySettlement',      'record', 'PK-1',   null,   null],
  ['sendSettlement',     'record', 'PK-1',   null,   null],
  ['claimSettlementPayment', 'settlement', 'PK-1', null, null],
  ['applySettlementPayment', null, 'PK-1',   null,   'PK-1 SP1'],
  ['confirmSettlement',  'record', 'PK-1',   null,   null],
  ['failSettlement',     'record', 'PK-1',   null,   null],
  ['requestApproval',  'record', 'PK-1',     null,   null],
  ['rejectApproval',   'record', 'PK-1',     null,   null],
  ['withdrawApproval', 'record', 'PK-1',     null,   null],
  ['failApproval',     'record', 'PK-1',     null,   null],
])('%s: its id is stored with the %s, it writes rows of the merchants %s and %s, and names the order %s', (type, ...expected) => {
  const command = commands[type];
  const found = namedOrder(command);
  expect([ keeperOfId(command), merchantOf(command), otherMerchantOf(command),
    found && `${found.merchantId} ${found.orderNo}`,
  ]).toEqual(expected);
});

test('the id of a claim end is stored with the audit record if an operator ended the claim', () => {
  expect(keeperOfId({ ...commands.endClaim, by })).toBe('record');
});

test('commands name the cases that they decide or refund, in their order', () => {
  const all = types.flatMap((type) =>
    namedCases(commands[type]).map((one) => `${type} ${one.merchantId} ${one.caseNo}`),
  );
  expect(all).toEqual([
    ...[7, 3, 5].map((caseNo) => `creditCase PLATFORM-PK ${caseNo}`),
    'returnCase PLATFORM-PK 7',
    'chargeCase PK-1 7',
    'writeOffCase PK-1 7',
    ...['claimRefund', 'applyRefund', 'resolveRefund'].map((type) => `${type} PK-1 8`),
  ]);
});

test('only commands of settlements name a settlement', () => {
  const named = types.filter((type) => namedSettlement(commands[type]) !== null);
  expect(named).toEqual([
    'draftSettlement',
    'approveSettlement',
    'paySettlement',
    'sendSettlement',
    'claimSettlementPayment',
    'applySettlementPayment',
    'confirmSettlement',
    'failSettlement',
  ]);
});

test('commands name a refund if it must exist, but not the command that requests it', () => {
  const named = types.filter((type) => namedRefund(commands[type]) !== null);
  expect(named).toEqual(['claimRefund', 'applyRefund', 'resolveRefund']);
  expect(namedRefund(commands.applyRefund)).toEqual(refund);
});

test('a credit without an order names no order, and a credit within one merchant names no other merchant', () => {
  expect(namedOrder({ ...commands.creditCase, orderNo: null })).toBeNull();
  expect(otherMerchantOf({ ...commands.creditCase, toMerchantId: 'PLATFORM-PK' })).toBeNull();
});

test('open cases are loaded only where a payout may end', () => {
  expect(types.filter((type) => needsCases(commands[type]) !== null)).toEqual([
    'applyReport',
    'cancelOrder',
    'resolvePayout',
    'claimTask',
    'proveTask',
    'acceptProof',
  ]);
  expect(needsCases(commands.resolvePayout)).toEqual(ref);
  const payment = { reference: 'P1', amount: '1.00' };
  const answer = { outcome: 'returned', payments: [], returned: payment, reason: '' } as const;
  expect(needsCases({ ...commands.applyReport, answer })).toEqual(ref);
});

test('a command names an approval if two operators agreed', () => {
  expect(types.filter((type) => namedApproval(commands[type]) !== null)).toEqual([]);
  const approved = { ...by, approvalId: 'A-1' };
  expect(namedApproval({ ...commands.cancelOrder, by: approved })).toEqual({ merchantId: 'PK-1', approvalId: 'A-1' });
  expect(namedApproval({ ...commands.returnCase, by: approved })).toEqual({
    merchantId: 'PLATFORM-PK',
    approvalId: 'A-1',
  });
});

test('an approval is loaded if two operators agreed, or if the command ends it', () => {
  const ends = ['rejectApproval', 'withdrawApproval', 'failApproval'];
  expect(types.filter((type) => neededApproval(commands[type]) !== null)).toEqual(ends);
  expect(neededApproval(commands.failApproval)).toEqual(approval);
  const approved = { ...by, approvalId: 'A-2' };
  expect(neededApproval({ ...commands.cancelOrder, by: approved })).toEqual({ ...approval, approvalId: 'A-2' });
});

test('a repeated order is loaded once', () => {
  const other = { merchantId: 'PK-2', orderNo: 'PO1' };
  const third = { merchantId: 'PK-1', orderNo: 'PO2' };
  expect(uniqueOrders([ref, other, { ...ref }, third])).toEqual([ref, other, third]);
  expect(uniqueOrders([])).toEqual([]);
});
