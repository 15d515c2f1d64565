import { loadLastNotifications, type Order, pageNotifications, pagePayments, pageTransfers } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { ChannelType } from '../channel/channel-type.ts';
import { keyOf, loaded } from '../loaded.ts';
import { MerchantType } from '../merchant/merchant-type.ts';
import { NotificationType } from '../notification/notification-type.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { personal } from '../personal.ts';
import { TransferType } from '../wallet/transfers-query.ts';
import { orderRefOf } from './order-of-number.ts';
import { OrderInterface } from './order-type.ts';
import { PartyType } from './party-type.ts';
import { PaymentType } from './payment-type.ts';

const filterOf = ({ merchantId, orderNo }: Order) => ({ merchantId, orderNo });

/** What belongs to an order. */
builder.interfaceFields(OrderInterface, (t) => ({
  merchant: t.field({
    type: MerchantType,
    description: 'The merchant that it belongs to.',
    resolve: ({ merchantId }) => merchantId,
  }),
  channel: t.field({
    type: ChannelType,
    nullable: true,
    description: 'The channel that carries it.',
    resolve: ({ channelId }) => channelId,
  }),
  party: t.field({
    type: PartyType,
    nullable: true,
    description: 'Its payer or payee, as the merchant said. Personal data: not for viewers.',
    authScopes: personal,
    resolve: ({ details }) => details.party ?? null,
  }),
  lastNotification: t.loadable({
    type: NotificationType,
    nullable: true,
    description: 'The notification of the status that it reached last; null: it has none.',
    load: async (keys: string[], context) =>
      loaded(await loadLastNotifications(context.domain, scopeOf(context), keys.map(orderRefOf))),
    resolve: ({ merchantId, orderNo }) => keyOf(merchantId, orderNo),
  }),
  notifications: t.connection({
    type: NotificationType,
    description: 'What the merchant was told of it, the newest first.',
    resolve: async ({ merchantId, orderNo }, args, context) => {
      const page = pageOf('notifications', args);
      const filter = { merchantIds: [merchantId], orderNo };
      return connectionOf(await pageNotifications(context.domain, scopeOf(context), filter, page));
    },
  }),
  payments: t.connection({
    type: PaymentType,
    description: 'The payments that its channel told of.',
    resolve: async (order, args, context) => {
      const page = pageOf('payments', args);
      return connectionOf(await pagePayments(context.domain, scopeOf(context), filterOf(order), page));
    },
  }),
  transfers: t.connection({
    type: TransferType,
    description: 'What it moved in the ledger, the newest first.',
    resolve: async (order, args, context) => {
      const page = pageOf('transfers', args);
      return connectionOf(await pageTransfers(context.domain, scopeOf(context), filterOf(order), page));
    },
  }),
}));
