import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { aNewOrder, anApproval, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { Approval } from './approval.ts';
import type { BookWallet, Command, RecordChange } from './commands.ts';
import type { State } from './state.ts';

// What holds for commands of all kinds: numbers that are in use, approvals, records, and what is so already.

const create = (kind: 'payin' | 'payout', orderNo: string): Command => {
  const order = aNewOrder('IN', kind, { orderNo });
  return kind === 'payin'
    ? { type: 'createPayin', order, submitAfter: 0, expiresIn: 1000 }
    : { type: 'createPayout', order };
};

test.each(['payin', 'payout'] as const)('only one %s can be created with one merchant order number', (kind) => {
  const before = given(aWallet('IN', { available: '1000.00' }), null, { existing: { orderNo: 'NO-1' } });
  before.when(create(kind, 'NO-1')).gives([]);
  before.when(create(kind, 'NO-2')).gives('merchant_order_no_exists');
});

const approval = anApproval({ expiresAt: noon + 1 });
const approved = { actor: 'ann', approver: 'bob', reason: 'seen', approvalId: 'A-1' };
const booking = (by: BookWallet['by'] = approved): BookWallet => ({
  type: 'bookWallet',
  merchantId: 'TH-1',
  entry: 'TOP_UP',
  amount: '10.00',
  bookingNo: 'B-1',
  remark: 'r',
  by,
});
const withApproval = (changes: Partial<Approval> | null, more: Partial<State> = {}): Given =>
  given(aWallet('TH'), null, { approval: changes && { ...approval, ...changes }, ...more });

const { approvalId: _, ...alone } = approved;

test('the number of another booking cannot be used again', () => {
  given(aWallet('TH'), null, { existing: { orderNo: 'B-1' } })
    .when(booking(alone))
    .gives('booking_no_taken');
});

test('an approval is consumed by its operation, once, while it is valid', () => {
  const booked = withApproval({}).when(booking());
  const used = { ...approval, state: 'executed', decidedBy: 'bob', decidedAt: noon };
  expect(booked.events.at(-1)).toEqual({ type: 'approval decided', approval: used });
  expect(booked.state.approval).toEqual(used);
  booked.when(booking()).gives('approval_decided');
  withApproval({ expiresAt: noon }).when(booking()).gives('approval_expired');
  withApproval(null).when(booking()).gives('approval_decided');
  // Without an approval by another operator it stays as it is.
  expect(withApproval({}).when(booking(alone)).state.approval).toEqual(approval);
});

test('a repeated approved booking consumes its approval and is recorded, but moves nothing', () => {
  const existing = { orderNo: 'B-1', booked: { entry: 'TOP_UP', amount: '10.00', counter: 'external' } } as const;
  withApproval({}, { existing })
    .when(booking())
    .gives([{ type: 'audit recorded' }, { type: 'approval decided' }]);
  withApproval({}, { existing }).when(booking(alone)).gives([]);
});

const wanted = { operation: 'topUpWallet', subject: 'B-1', input: { amount: '10.00' } };
const ann = { actor: 'ann', approver: null, reason: 'seen' };

test('an approval is pending for its lifetime, and recorded without secrets', () => {
  const request = {
    ...wanted,
    alsoSubjects: [],
    merchantId: 'TH-1',
    approvalId: 'A-1',
    effect: null,
    secrets: 'sealed',
    lifetime: 1_000,
    by: ann,
  };
  const detail = { merchantId: 'TH-1', change: 'requestApproval', subject: 'A-1', after: wanted };
  const pending = anApproval({ expiresAt: noon + 1_000 });
  const requested = given(aWallet('TH')).when({ type: 'requestApproval', ...request });
  expect(requested.events).toEqual([
    { type: 'approval requested', approval: pending, secrets: 'sealed' },
    {
      type: 'audit recorded',
      record: expect.objectContaining({
        action: 'requestApproval',
        subject: 'A-1',
        actor: 'ann',
        reason: 'seen',
        detail: JSON.stringify(detail),
      }),
    },
  ]);
  expect(requested.state.approval).toEqual(pending);
});

// biome-ignore format: a table is read by its columns
test.each([
  ['rejectApproval',   { actor: 'bob', approver: null,  reason: 'no' },   'rejected',  'bob'],
  ['withdrawApproval', { actor: 'ann', approver: null,  reason: 'no' },   'withdrawn', 'ann'],
  ['failApproval',     { actor: 'ann', approver: 'bob', reason: 'seen' }, 'failed',    'bob'],
] as const)('%s closes an approval once, while it is valid, with the reason', (type, by, state, decidedBy) => {
  const close: Command = { type, merchantId: 'TH-1', approvalId: 'A-1', outcome: 'no', by };
  const closed = withApproval({}).when(close);
  const before = { ...wanted, requestedBy: 'ann' };
  const detail = { merchantId: 'TH-1', change: type, subject: 'A-1', before, after: { outcome: 'no' } };
  const { actor, approver, reason } = by;
  expect(closed.events).toEqual([
    { type: 'approval decided', approval: { ...approval, state, decidedBy, decidedAt: noon, outcome: 'no' } },
    {
      type: 'audit recorded',
      record: expect.objectContaining({ action: type, subject: 'A-1', actor, approver, reason, detail: JSON.stringify(detail),
      }),
    },
  ]);
  closed.when(close).gives('approval_decided');
  withApproval({ expiresAt: noon }).when(close).gives('approval_expired');
  withApproval(null).when(close).gives('approval_decided');
});

test('a change of configuration writes an audit record, and nothing else', () => {
  const change: RecordChange = {
    type: 'recordChange',
    merchantId: 'TH-1',
    change: 'setFeeRule',
    subject: 'payin',
    before: null,
    after: {},
    by: { actor: 'ann', approver: null, reason: 'seen' },
  };
  const record = { action: 'setFeeRule', subject: 'payin', actor: 'ann', auditNo: 1, at: noon };
  given(aWallet('TH'))
    .when(change)
    .gives([{ type: 'audit recorded', record }]);
});

test('a repeated channel report has no further effect', () => {
  const failed = given(aWallet('TH'), anOrder('TH')).whenReported({ outcome: 'failed', reason: 'no' });
  expect(failed.events.map(({ type }) => type)).toEqual(['order changed', 'order moved', 'notification due']);
  failed.whenReported({ outcome: 'failed', reason: 'no' }).gives([]);
});

test('a notification is due at once, with the sequence number of its status and the trace span of the command', () => {
  const order = anOrder('TH', { traceparent: 'of the order' });
  const before = given(aWallet('TH'), order, { transitionCount: 4 });
  const report: Command = {
    type: 'applyReport',
    ref: { merchantId: 'TH-1', orderNo: order.orderNo },
    channelId: 'fake',
    answer: { outcome: 'failed', reason: 'no' },
    during: 'callback',
  };
  const due = { seq: 5, createdAt: noon, nextAttemptAt: noon, traceparent: 'of the order' };
  expect(all(before.when(report, at(noon)).events, 'notification')).toMatchObject([due]);
  const traced = before.when({ ...report, traceparent: 'of the report' });
  expect(all(traced.events, 'notification')).toMatchObject([{ ...due, traceparent: 'of the report' }]);
  expect(given(aWallet('IN')).when({ ...create('payin', 'NO-1'), traceparent: 'first' }).order.traceparent).toBe(
    'first',
  );
});
