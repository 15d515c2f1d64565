import type { NotificationRecord, OrderStatus } from '@tidegate/domain';
import { type AttemptRecord, loadAttempts, loadNotifications } from '@tidegate/domain/lists';
import { versionOfNotification } from '@tidegate/domain/operators';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionDescription } from '../action/version.ts';
import { NotificationStateEnum, OrderStatusEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';

const HeldByEnum = builder.enumType('NotificationHold', {
  description: 'Reason why a due notification is not sent yet.',
  values: {
    HOST: { value: 'host', description: 'The host is busy or does not respond.' },
    ORDER: { value: 'order', description: 'An earlier notification of the same order is not finished yet.' },
    PAUSE: { value: 'pause', description: "The merchant's notifications are paused." },
  } as const satisfies Record<string, { value: NonNullable<NotificationRecord['heldBy']>; description: string }>,
});

/** One attempt to deliver a notification. */
export const AttemptType = builder.objectRef<AttemptRecord>('NotificationAttempt').implement({
  description: 'One attempt to deliver a notification.',
  fields: (t) => ({
    attempt: t.exposeInt('attempt', { description: 'Number of the attempt: 1, 2, 3 …' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'Start of the attempt.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Duration in milliseconds.' }),
    address: t.exposeString('address', { nullable: true, description: 'IP address and port of the receiver.' }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description: 'HTTP status of the response. Null: no response.',
    }),
    reply: t.exposeString('reply', {
      nullable: true,
      description: 'First KiB of the response. Hidden from viewers.',
      authScopes: personal,
    }),
    error: t.exposeString('error', { nullable: true, description: 'Kind of error. Null: none.' }),
  }),
});

const maxAttempts = 50;

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
  // An unknown status finds nothing.
  return { merchantId, orderNo, status: status as OrderStatus };
}

NotificationType.implement({
  description:
    'Notification to a merchant that an order reached a status. The body never changes. Each attempt has a new signature.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number of the receiver.' }),
    orderNo: t.exposeString('orderNo', { description: 'Service order number.' }),
    status: t.expose('status', { type: OrderStatusEnum, description: 'Order status that it reports.' }),
    state: t.expose('state', { type: NotificationStateEnum, description: 'Delivery state.' }),
    heldBy: t.expose('heldBy', {
      type: HeldByEnum,
      nullable: true,
      description: 'Reason why it is not sent yet. Null: nothing holds it.',
    }),
    url: t.exposeString('url', { description: 'URL of the receiver.' }),
    host: t.exposeString('host', { description: 'Name and port of the receiving host.' }),
    body: t.exposeString('body', { description: 'Body that is sent, as JSON text.' }),
    attemptCount: t.exposeInt('attempt', { description: 'Number of attempts made.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next attempt. Null: none is planned.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time when the order reached the status.' }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of delivery. Null: not delivered.',
    }),
    version: t.string({ description: versionDescription, resolve: versionOfNotification }),
    actions: t.field(actionsOf((notification: NotificationRecord) => ({ type: 'notification', notification }))),
    lastAttempt: t.loadable({
      type: AttemptType,
      nullable: true,
      description: 'The newest attempt. Null: none was made.',
      load: async (keys: string[], context) => {
        const found = await loadAttempts(context.domain, scopeOf(context), keys.map(refOf), 1);
        return found.map(([newest]) => newest ?? null);
      },
      resolve: ({ merchantId, orderNo, status }) => keyOf(merchantId, orderNo, status),
    }),
    attempts: t.loadableList({
      type: AttemptType,
      description: `Attempts, newest first, at most ${maxAttempts}.`,
      load: (keys: string[], context) => loadAttempts(context.domain, scopeOf(context), keys.map(refOf), maxAttempts),
      resolve: ({ merchantId, orderNo, status }) => keyOf(merchantId, orderNo, status),
    }),
  }),
});
