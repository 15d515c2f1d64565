import type { RouteRecord } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { ChannelType } from '../channel/channel-type.ts';
import { OrderKindEnum, RouteModeEnum } from '../enums.ts';

/** A way that a merchant's orders may take. */
export const RouteType = builder.objectRef<RouteRecord>('Route').implement({
  description: "A way that a merchant's orders may take. Amounts are in the merchant's currency.",
  fields: (t) => ({
    routeNo: t.exposeInt('routeNo', { description: "Its number among the merchant's." }),
    kind: t.expose('kind', { type: OrderKindEnum, description: 'For payins or payouts.' }),
    bankCode: t.exposeString('bankCode', { nullable: true, description: 'For this bank code alone; null: for all.' }),
    channel: t.field({
      type: ChannelType,
      description: 'The channel that it leads to.',
      resolve: ({ channelId }) => channelId,
    }),
    mode: t.expose('mode', { type: RouteModeEnum, description: 'How its orders are carried.' }),
    minAmount: t.expose('minAmount', {
      type: 'Decimal',
      description: "The smallest order, in the merchant's currency.",
    }),
    maxAmount: t.expose('maxAmount', {
      type: 'Decimal',
      description: "The largest order, in the merchant's currency.",
    }),
    priority: t.exposeInt('priority', { description: 'The smallest that fits is taken.' }),
    weight: t.exposeInt('weight', { description: 'Its share among those of the same priority.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it is used.' }),
  }),
});
