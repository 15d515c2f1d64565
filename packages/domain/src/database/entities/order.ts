import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

// Orders, their transitions, payments and notifications.

export const OrderRow = defineEntity({
  name: 'OrderRow',
  tableName: 'orders',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    merchantOrderNo: p.text(),
    kind: p.text(),
    country: p.text(),
    currency: p.text(),
    mode: p.text(),
    status: p.text(),
    isLive: p.boolean(),
    amount: p.decimal('string'),
    feeAmount: p.decimal('string'),
    netAmount: p.decimal('string'),
    paidAmount: p.decimal('string'),
    feeTerms: p.json<object>(),
    bankCode: p.text().nullable(),
    channelId: p.text(),
    channelBankCode: p.text().nullable(),
    channelRef: p.text().nullable(),
    payLink: p.text().nullable(),
    payQr: p.text().nullable(),
    notifyUrl: p.text().nullable(),
    details: p.json<object>(),
    task: p.json<object>().nullable(),
    failureReason: p.text().nullable(),
    contradiction: p.text().nullable(),
    nextAction: p.text().nullable(),
    nextActionAt: p.datetime(3).nullable(),
    attempt: p.integer(),
    expiresAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    traceparent: p.text().nullable(),
    commandId: p.uuid().nullable(),
    batchNo: p.bigint('number'),
  },
});

/** What the ledger writer changes of orders. All other columns stay as they were inserted. */
export const orderChanges = [
  'status',
  'paidAmount',
  'channelId',
  'channelBankCode',
  'channelRef',
  'payLink',
  'payQr',
  'task',
  'failureReason',
  'contradiction',
  'nextAction',
  'nextActionAt',
  'attempt',
  'updatedAt',
  'completedAt',
  'commandId',
] as const satisfies readonly (keyof InferEntity<typeof OrderRow>)[];

export const OrderTransition = defineEntity({
  name: 'OrderTransition',
  tableName: 'order_transition',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    seq: p.integer().primary(),
    from: p.text(),
    to: p.text(),
    trigger: p.text(),
    actor: p.text(),
    detail: p.text().nullable(),
    at: p.datetime(3),
    batchNo: p.bigint('number'),
  },
});

export const PaymentRow = defineEntity({
  name: 'PaymentRow',
  tableName: 'payment',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    seq: p.integer().primary(),
    direction: p.text(),
    reference: p.text().nullable(),
    channelId: p.text(),
    amount: p.decimal('string'),
    use: p.text(),
    line: p.text().nullable(),
    receivedAt: p.datetime(3),
    batchNo: p.bigint('number'),
  },
});

export const NotificationRow = defineEntity({
  name: 'NotificationRow',
  tableName: 'notification',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    status: p.text().primary(),
    url: p.text(),
    body: p.text(),
    state: p.text(),
    attempt: p.integer(),
    nextAttemptAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    deliveredAt: p.datetime(3).nullable(),
    host: p.text(),
    heldBy: p.text().nullable(),
    seq: p.integer(),
    isRepeat: p.boolean(),
    earlierAttempts: p.integer(),
    traceparent: p.text().nullable(),
  },
});

export const NotificationResend = defineEntity({
  name: 'NotificationResend',
  tableName: 'notification_resend',
  properties: {
    merchantId: p.text().primary(),
    requestKey: p.text().primary(),
    asked: p.json<object>(),
    matched: p.integer(),
    resent: p.integer().name('put_back'),
    requestedBy: p.text(),
    requestedAt: p.datetime(3),
  },
});

export const NotificationAttempt = defineEntity({
  name: 'NotificationAttempt',
  tableName: 'notification_attempt',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    status: p.text().primary(),
    attempt: p.integer().primary(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    address: p.text().nullable(),
    httpStatus: p.integer().nullable(),
    reply: p.text().nullable(),
    error: p.text().nullable(),
  },
});

/** The search row of an order. The worker derives it from the order. */
export const OrderSearchRow = defineEntity({
  name: 'OrderSearchRow',
  tableName: 'order_search',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    merchantOrderNo: p.text(),
    createdAt: p.datetime(3),
    accountKey: p.text().nullable(),
    phoneKey: p.text().nullable(),
    name: p.text().nullable(),
    lastName: p.text().nullable(),
  },
});

export const OrderSearchProgress = defineEntity({
  name: 'OrderSearchProgress',
  tableName: 'order_search_progress',
  properties: { name: p.text().primary(), since: p.datetime(3), until: p.datetime(3) },
});

/** Ended orders that are queried a few more times. The worker derives these rows from the transitions. */
export const OrderWatchRow = defineEntity({
  name: 'OrderWatchRow',
  tableName: 'order_watch',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    channelId: p.text(),
    endedAt: p.datetime(3),
    dueAt: p.datetime(3),
  },
});

export const OrderWatchProgress = defineEntity({
  name: 'OrderWatchProgress',
  tableName: 'order_watch_progress',
  properties: { name: p.text().primary(), until: p.datetime(3) },
});
