import type { Order } from '@tidegate/domain';
import { loadLastNotifications, pagesOfNotifications, pagesOfPayments, pagesOfTransfers } from '@tidegate/domain/lists';
import { versionOfOrder } from '@tidegate/domain/operators';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionDescription } from '../action/version.ts';
import { ChannelType } from '../channel/channel-type.ts';
import { builder } from '../graphql/builder.ts';
import { childPages } from '../graphql/child-pages.ts';
import { keyOf, loaded } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { MerchantType } from '../merchant/merchant-type.ts';
import { NotificationType } from '../notification/notification-type.ts';
import { TransferType } from '../wallet/transfers-query.ts';
import { orderRefOf, refOfOrder } from './order-of-number.ts';
import { OrderInterface } from './order-type.ts';
import { PartyType } from './party-type.ts';
import { PaymentType } from './payment-type.ts';

/** What belongs to an order. */
builder.interfaceFields(OrderInterface, (t) => ({
  version: t.string({
    description: versionDescription,
    resolve: versionOfOrder,
  }),
  actions: t.field(actionsOf((order: Order) => ({ type: 'order', order }))),
  merchant: t.field({
    type: MerchantType,
    description: 'Merchant of the order.',
    resolve: ({ merchantId }) => merchantId,
  }),
  channel: t.field({
    type: ChannelType,
    nullable: true,
    description: 'Channel of the order.',
    resolve: ({ channelId }) => channelId,
  }),
  party: t.field({
    type: PartyType,
    nullable: true,
    description: 'Payer or payee, as sent by the merchant. Personal data: hidden from viewers.',
    authScopes: personal,
    resolve: ({ details }) => details.party ?? null,
  }),
  lastNotification: t.loadable({
    type: NotificationType,
    nullable: true,
    description: 'Notification of the latest status. Null: none.',
    load: async (keys: string[], context) =>
      loaded(await loadLastNotifications(context.domain, scopeOf(context), keys.map(orderRefOf))),
    resolve: ({ merchantId, orderNo }) => keyOf(merchantId, orderNo),
  }),
  notifications: t.connection({
    type: NotificationType,
    description: 'Notifications of the order, newest first.',
    resolve: childPages('notifications', pagesOfNotifications, refOfOrder),
  }),
  payments: t.connection({
    type: PaymentType,
    description: 'Payments reported by the channel.',
    resolve: childPages('payments', pagesOfPayments, refOfOrder),
  }),
  transfers: t.connection({
    type: TransferType,
    description: 'Ledger transfers of the order, newest first.',
    resolve: childPages('transfers', pagesOfTransfers, refOfOrder),
  }),
}));
