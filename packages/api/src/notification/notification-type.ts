import type { NotificationRecord, NotificationState, OrderStatus } from '@tidegate/domain';
import { type AttemptRecord, loadAttempts, loadNotifications } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { OrderStatusEnum } from '../enums.ts';
import { keyOf, loaded, partsOf } from '../loaded.ts';
import { scopeOf } from '../paging.ts';
import { personal } from '../personal.ts';

export const NotificationStateEnum = builder.enumType('NotificationState', {
  description: 'Whether a merchant was told.',
  values: {
    PENDING: { value: 'pending', description: 'Not yet: another attempt follows.' },
    DELIVERED: { value: 'delivered', description: 'It answered OK.' },
    EXHAUSTED: { value: 'exhausted', description: 'Every attempt failed; it can be sent again by hand.' },
  } as const satisfies Record<string, { value: NotificationState; description: string }>,
});

const HeldByEnum = builder.enumType('NotificationHold', {
  description: 'What keeps back a notification whose time has come.',
  values: {
    HOST: { value: 'host', description: 'Its host is busy, or does not answer.' },
    ORDER: { value: 'order', description: 'An older notification of its order is neither acknowledged nor exhausted.' },
    PAUSE: { value: 'pause', description: "Its merchant's notifications are paused." },
  } as const satisfies Record<string, { value: NonNullable<NotificationRecord['heldBy']>; description: string }>,
});

/** One attempt to deliver a notification. */
export const AttemptType = builder.objectRef<AttemptRecord>('NotificationAttempt').implement({
  description: 'One attempt to deliver a notification.',
  fields: (t) => ({
    attempt: t.exposeInt('attempt', { description: 'Which it was: 1, 2, 3 …' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    address: t.exposeString('address', { nullable: true, description: 'The IP address and port that it went to.' }),
    httpStatus: t.exposeInt('httpStatus', { nullable: true, description: 'What was answered; null: nothing.' }),
    reply: t.exposeString('reply', {
      nullable: true,
      description: 'The first KiB of the answer. Not for viewers.',
      authScopes: personal,
    }),
    error: t.exposeString('error', { nullable: true, description: 'The class of what went wrong; null: nothing.' }),
  }),
});

const mostAttempts = 50;

/** A notification, by its order and status. */
export const NotificationType = builder.loadableNodeRef('Notification', {
  id: {
    resolve: ({ merchantId, orderNo, status }: NotificationRecord) => keyOf(merchantId, orderNo, status),
  },
  load: async (keys: string[], context) =>
    loaded(await loadNotifications(context.domain, scopeOf(context), keys.map(refOf))),
});

function refOf(key: string): { merchantId: string; orderNo: string; status: OrderStatus } {
  const [merchantId, orderNo, status] = partsOf(key);
  // What is no status finds nothing.
  return { merchantId, orderNo, status: status as OrderStatus };
}

NotificationType.implement({
  description:
    'The message to a merchant that an order reached a status. Its body never changes; each attempt signs it anew.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'The merchant that is told.' }),
    orderNo: t.exposeString('orderNo', { description: 'The order that it is about.' }),
    status: t.expose('status', { type: OrderStatusEnum, description: 'The status that the order reached.' }),
    state: t.expose('state', { type: NotificationStateEnum, description: 'Whether the merchant was told.' }),
    heldBy: t.expose('heldBy', { type: HeldByEnum, nullable: true, description: 'What keeps it back; null: nothing.' }),
    url: t.exposeString('url', { description: 'Where it goes.' }),
    host: t.exposeString('host', { description: 'Name and port that it goes to.' }),
    body: t.exposeString('body', { description: 'What is told, as JSON text.' }),
    attemptCount: t.exposeInt('attempt', { description: 'How many attempts were made.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null: none is.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the status was reached.' }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true, description: 'When it was delivered.' }),
    attempts: t.loadableList({
      type: AttemptType,
      description: `Its attempts, the latest first; at most ${mostAttempts}.`,
      load: (keys: string[], context) => loadAttempts(context.domain, scopeOf(context), keys.map(refOf), mostAttempts),
      resolve: ({ merchantId, orderNo, status }) => keyOf(merchantId, orderNo, status),
    }),
  }),
});
