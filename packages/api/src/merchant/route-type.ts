import type { RouteRecord } from '@tidegate/domain/lists';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { ChannelType } from '../channel/channel-type.ts';
import { OrderKindEnum, RouteModeEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';

/** A route for a merchant's orders. */
export const RouteType = builder.objectRef<RouteRecord>('Route').implement({
  description: "A route from a merchant to a channel. Amounts are in the merchant's currency.",
  fields: (t) => ({
    routeNo: t.exposeInt('routeNo', { description: 'Number within the merchant: 1, 2, 3 …' }),
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Payins or payouts.' }),
    bankCode: t.exposeString('bankCode', {
      nullable: true,
      description: 'Applies to this bank code only. Null: to all.',
    }),
    channel: t.field({
      type: ChannelType,
      description: 'Channel of the route.',
      resolve: ({ channelId }) => channelId,
    }),
    version: t.string(versionOfConfiguration((route: RouteRecord) => ({ type: 'route', route }))),
    actions: t.field(actionsOf((route: RouteRecord) => ({ type: 'route', route }))),
    mode: t.expose('mode', { type: RouteModeEnum, description: 'How its orders are processed.' }),
    minAmount: t.expose('minAmount', {
      type: 'Decimal',
      description: "Minimum order amount, in the merchant's currency.",
    }),
    maxAmount: t.expose('maxAmount', {
      type: 'Decimal',
      description: "Maximum order amount, in the merchant's currency.",
    }),
    priority: t.exposeInt('priority', { description: 'The matching route with the lowest number is used.' }),
    weight: t.exposeInt('weight', { description: 'Relative share among routes of the same priority.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the route is used.' }),
  }),
});
