import { notificationFilter, pageNotifications } from '@tidegate/domain/lists';
import { NotificationStateEnum, OrderStatusEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { NotificationType } from './notification-type.ts';

const NotificationFilter = builder.inputType('NotificationFilter', {
  description: 'Filter for notifications. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Sent to any of these merchants, at most 100.' }),
    orderNo: t.string({ description: 'About this service order number.' }),
    states: t.field({ type: [NotificationStateEnum], description: 'In any of these states.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'About any of these order statuses.' }),
    host: t.string({ description: 'Sent to this name and port, e.g. "shop.example:443".' }),
    errors: t.stringList({ description: 'Whose last attempt ended with any of these errors, e.g. "timeout".' }),
    attemptsFrom: t.int({ description: 'With at least this number of attempts.' }),
    attemptsTo: t.int({ description: 'With at most this number of attempts.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'The order reached the status at or after this time.' }),
    createdTo: t.field({ type: 'DateTime', description: 'The order reached the status before this time.' }),
  }),
});

builder.queryField('notifications', (t) =>
  t.connection({
    type: NotificationType,
    description: 'Notifications, newest order status first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: NotificationFilter,
        description: 'Filter. Default: all notifications that you may see.',
        validate: { schema: notificationFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('notifications', page);
      return connectionOf(await pageNotifications(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
