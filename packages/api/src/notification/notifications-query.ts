import { notificationFilter, pageNotifications } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { OrderStatusEnum } from '../enums.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { NotificationStateEnum, NotificationType } from './notification-type.ts';

const NotificationFilter = builder.inputType('NotificationFilter', {
  description: 'Which notifications. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'To these merchants, at most 100.' }),
    orderNo: t.string({ description: 'About this order.' }),
    states: t.field({ type: [NotificationStateEnum], description: 'In one of these states.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'About one of these statuses.' }),
    host: t.string({ description: 'To this name and port, e.g. "shop.example:443".' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Of a status reached at this moment or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Of a status reached before this moment.' }),
  }),
});

builder.queryField('notifications', (t) =>
  t.connection({
    type: NotificationType,
    description: 'Notifications by the time that their status was reached, the newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: NotificationFilter,
        description: 'Which notifications; left out: all that you may see.',
        validate: { schema: notificationFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('notifications', page);
      return connectionOf(await pageNotifications(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
