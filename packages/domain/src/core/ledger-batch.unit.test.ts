import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anOrder, noon } from '../testing/on-paper.ts';
import type { Transfer } from './ledger.ts';
import {
  type BatchRows,
  batchHash,
  coverageOf,
  type LedgerBatch,
  ledgerBatch,
  namesOf,
  rowTexts,
} from './ledger-batch.ts';
import type { AuditRecord } from './operator.ts';
import type { MoneyCase, Payment } from './payment.ts';
import type { Transition } from './transitions.ts';
import type { WalletEntry } from './wallet.ts';

// A link of a merchant's ledger chain: which rows it covers, and that nothing of them can be changed unseen.

const order = {
  ...anOrder('TH', { expiresAt: noon, createdAt: noon - 1 }),
  details: { remark: 'r', extra: { b: [1, null], a: 'x' } },
};
const transition: Transition = {
  merchantId: 'TH-1',
  orderNo: order.orderNo,
  seq: 1,
  from: 'new',
  to: 'created',
  trigger: 'created',
  actor: 'merchant',
  detail: null,
  at: noon,
  batchNo: 1,
};
const payment: Payment = {
  merchantId: 'TH-1',
  orderNo: 'PI2',
  seq: 7,
  direction: 'out',
  reference: 'P:1',
  channelId: 'fake',
  amount: '1.00',
  use: 'credited',
  line: null,
  receivedAt: noon,
  batchNo: 1,
};
const moneyCase: MoneyCase = {
  merchantId: 'TH-1',
  caseNo: 4,
  kind: 'late',
  state: 'open',
  orderNo: 'PI2',
  channelId: 'fake',
  reference: 'P1',
  currency: 'THB',
  amount: '1.00',
  detail: 'd',
  openedAt: noon,
  closedAt: null,
  refundNo: null,
  cameBack: '0.00',
  paymentOrderNo: null,
  batchNo: 1,
};
const transfer: Transfer = {
  merchantId: 'TH-1',
  transferNo: 7,
  debit: 'channel:fake',
  credit: 'available',
  currency: 'THB',
  amount: '1.00',
  cause: 'payin',
  orderNo: 'PI2',
  createdAt: noon,
  batchNo: 1,
};
const entry: WalletEntry = {
  merchantId: 'TH-1',
  entryNo: 5,
  type: 'PAYIN',
  availableChange: '1.00',
  frozenChange: '0.00',
  availableBefore: '2.00',
  availableAfter: '3.00',
  frozenBefore: '4.00',
  frozenAfter: '4.00',
  orderNo: 'PI2',
  merchantOrderNo: 'M-2',
  remark: null,
  bookingNo: null,
  createdAt: noon,
  counter: null,
  corrects: null,
  batchNo: 1,
};
const decision: AuditRecord = {
  merchantId: 'TH-1',
  auditNo: 3,
  actor: 'ann',
  approver: null,
  action: 'cancelOrder',
  subject: 'PI2',
  reason: 'asked',
  detail: '{}',
  at: noon,
  commandId: null,
  batchNo: 1,
};
const rows: BatchRows = {
  orders: [order],
  transitions: [transition, { ...transition, orderNo: 'PI2', seq: 3 }, { ...transition, seq: 2 }],
  payments: [payment],
  cases: [moneyCase],
  entries: [entry],
  transfers: [transfer, { ...transfer, transferNo: 8 }, { ...transfer, transferNo: 9 }],
  decisions: [decision, { ...decision, auditNo: 4 }],
};
const nothing: BatchRows = {
  orders: [],
  transitions: [],
  payments: [],
  cases: [],
  entries: [],
  transfers: [],
  decisions: [],
};
const link = { merchantId: 'TH-1', batchNo: 1, previousHash: '0'.repeat(64), at: noon };

test('a link of the chain names the rows that it covers, and new orders with their first transitions', () => {
  const batch = ledgerBatch(link, rows);
  expect(batch).toEqual({
    merchantId: 'TH-1',
    batchNo: 1,
    at: noon,
    hash: batch.hash,
    rows: [`o:${order.orderNo}:2`, 's:PI2:3', 'p:PI2:7', 'c:4', 'e:5:5', 't:7:9', 'a:3:4'],
  });
  expect(batch.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(namesOf(batch)).toEqual([
    `o:${order.orderNo}`,
    `s:${order.orderNo}:1`,
    `s:${order.orderNo}:2`,
    's:PI2:3',
    'p:PI2:7',
    'c:4',
    'e:5',
    't:7',
    't:8',
    't:9',
    'a:3',
    'a:4',
  ]);
  expect(ledgerBatch(link, nothing).rows).toEqual([]);
  expect(ledgerBatch(link, { ...nothing, orders: [order] }).rows).toEqual([`o:${order.orderNo}:0`]);
});

test('a manipulated range of rows is read up to the maximum size, and an invalid range names no row', () => {
  // The last name is of no row, so the audit reports the link.
  expect(namesOf({ rows: ['t:1:9999999999'] })).toHaveLength(20_001);
  expect(namesOf({ rows: Array.from({ length: 1_500 }, () => 'e:1:10000') })).toHaveLength(20_001);
  expect(namesOf({ rows: ['t:5:5', 'e:5:6', 'a:1:1'] })).toEqual(['t:5', 'e:5', 'e:6', 'a:1']);
  for (const row of ['t:5:4', 't:5', 't:x:9', 't:5:y', 't']) expect(namesOf({ rows: [row] }), row).toEqual([]);
  expect(namesOf({ rows: ['o:PI1:0'] })).toEqual(['o:PI1']);
});

test('the hash covers the link itself, every row, and their order', () => {
  const whole = ledgerBatch(link, rows).hash;
  const others = [
    ledgerBatch({ ...link, merchantId: 'TH-2' }, rows),
    ledgerBatch({ ...link, batchNo: 2 }, rows),
    ledgerBatch({ ...link, previousHash: '1'.repeat(64) }, rows),
    ledgerBatch({ ...link, at: noon + 1 }, rows),
    ledgerBatch(link, { ...rows, transfers: [transfer, { ...transfer, transferNo: 8 }] }),
    ledgerBatch(link, { ...rows, entries: [{ ...entry, remark: 'x' }] }),
    ledgerBatch(link, { ...rows, decisions: [decision, { ...decision, auditNo: 4, actor: 'eve' }] }),
    ledgerBatch(link, { ...rows, cases: [{ ...moneyCase, amount: '2.00' }] }),
    ledgerBatch(link, { ...rows, payments: [{ ...payment, amount: '2.00' }] }),
    ledgerBatch(link, { ...rows, orders: [{ ...order, amount: '2.00' }] }),
    ledgerBatch(link, { ...rows, transitions: [{ ...transition, to: 'failed' }, ...rows.transitions.slice(1)] }),
    ledgerBatch(link, { ...rows, transitions: [transition, { ...transition, orderNo: 'PI2', seq: 3, at: 1 }] }),
  ];
  expect(new Set([whole, ...others.map(({ hash }) => hash)]).size).toBe(others.length + 1);
  const named = { merchantId: 'TH-1', batchNo: 1, at: noon };
  const hash = (names: string[], texts: string): string =>
    batchHash('', { ...named, rows: names } as LedgerBatch, texts);
  expect(new Set([hash(['a', 'b'], ''), hash(['ab'], ''), hash(['b', 'a'], ''), hash(['a'], 'b')]).size).toBe(4);
});

/** What the text of a row leaves out: its tenant and its link, which the link itself covers, and what changes later. */
const notInText: { [Table in keyof typeof rowTexts]: [row: object, fields: string[]] } = {
  orders: [
    order,
    [
      'attempt',
      'channelId',
      'channelBankCode',
      'channelRef',
      'commandId',
      'completedAt',
      'contradiction',
      'failureReason',
      'isLive',
      'nextAction',
      'nextActionAt',
      'paidAmount',
      'payLink',
      'payQr',
      'status',
      'task',
      'traceparent',
      'updatedAt',
    ],
  ],
  transitions: [transition, []],
  payments: [payment, []],
  cases: [moneyCase, ['cameBack', 'closedAt', 'paymentOrderNo', 'refundNo', 'state']],
  entries: [entry, []],
  transfers: [transfer, []],
  decisions: [decision, ['commandId']],
};

test.each(Object.entries(notInText))(
  'any change of a row of %s changes its text, but for the fields that are named here',
  (table, [row, fields]) => {
    const textOf = rowTexts[table as keyof typeof rowTexts] as (row: object) => string;
    const changed = (value: unknown) =>
      typeof value === 'number' ? value + 1 : typeof value === 'object' && value !== null ? {} : `${value}x`;
    const left = Object.entries(row).flatMap(([field, value]) =>
      textOf({ ...row, [field]: changed(value) }) === textOf(row) ? field : [],
    );
    expect(left.sort()).toEqual(['batchNo', 'merchantId', ...fields].sort());
  },
);

test('a row is written with the length of each text before it, and objects by their sorted keys', () => {
  expect(rowTexts.orders(order)).toBe(
    `o11:PI0000000013:M-15:payin2:TH3:THB8:upstream6:100.004:2.505:97.50` +
      `30:{"fixed":"2.50","percent":"0"}-19:https://shop.test/n` +
      `45:{"extra":{"a":"x","b":[1,null]},"remark":"r"}${noon};${noon - 1};`,
  );
  const mixed = { ...order, details: { remark: undefined, extra: { z: { y: true } } } } as unknown as typeof order;
  expect(rowTexts.orders(mixed)).toContain('26:{"extra":{"z":{"y":true}}}');
  expect(rowTexts.transitions(transition)).toBe(`s11:PI0000000011;3:new7:created7:created8:merchant-${noon};`);
});

test('numbers that do not follow each other make no link', () => {
  const gap = [transfer, { ...transfer, transferNo: 9 }];
  expect(() => ledgerBatch(link, { ...rows, transfers: gap })).toThrow('a gap after 7');
  expect(() => ledgerBatch(link, { ...rows, entries: [entry, entry] })).toThrow('a gap after 5');
});

test('different entries never have the same text, wherever their fields begin', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
      fc.pre(a !== c || b !== d);
      const of = (remark: string, bookingNo: string): string => rowTexts.entries({ ...entry, remark, bookingNo });
      expect(of(a, b)).not.toBe(of(c, d));
    }),
  );
});

test('what a link covers is what it names', () => {
  const rows = ['o:PI1:2', 's:PI2:5', 'p:PI1:12', 'c:4', 'e:5:6', 't:1:3', 'a:7:7', 't:9:8'];
  const covers = coverageOf({ rows });
  for (const name of namesOf({ rows })) expect(covers(name), name).toBe(true);
  for (const name of [
    'o:PI2',
    's:PI1:0',
    's:PI1:3',
    's:PI2:4',
    'p:PI1:1',
    'c:5',
    'e:4',
    'e:7',
    't:4',
    't:9',
    'a:8',
    'e:x',
  ])
    expect(covers(name), name).toBe(false);
});
