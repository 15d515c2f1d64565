import { defineEntity, p } from '@mikro-orm/core';

// Sums over orders and transfers. Only the roll-ups write them.

const orderFigures = {
  merchantId: p.text().primary(),
  startsAt: p.datetime(3).primary(),
  country: p.text().primary(),
  currency: p.text(),
  kind: p.text().primary(),
  channelId: p.text().primary(),
  status: p.text().primary(),
  orders: p.bigint('number'),
  amount: p.decimal('string'),
  feeAmount: p.decimal('string'),
  buckets: p.array<number>().columnType('integer[]'),
  counts: p.array<number>().columnType('integer[]'),
};

export const OrderFiguresByHour = defineEntity({
  name: 'OrderFiguresByHour',
  tableName: 'order_figures_by_hour',
  properties: orderFigures,
});

export const OrderFiguresByDay = defineEntity({
  name: 'OrderFiguresByDay',
  tableName: 'order_figures_by_day',
  properties: orderFigures,
});

export const OrderFiguresProgress = defineEntity({
  name: 'OrderFiguresProgress',
  tableName: 'order_figures_progress',
  properties: { name: p.text().primary(), until: p.datetime(3) },
});

export const AccountTotal = defineEntity({
  name: 'AccountTotal',
  tableName: 'account_total',
  properties: {
    merchantId: p.text().primary(),
    account: p.text().primary(),
    currency: p.text(),
    debited: p.decimal('string'),
    credited: p.decimal('string'),
    transfers: p.bigint('number'),
  },
});

export const AccountTotalProgress = defineEntity({
  name: 'AccountTotalProgress',
  tableName: 'account_total_progress',
  properties: { merchantId: p.text().primary(), transferNo: p.bigint('number'), movedAt: p.datetime(3).nullable() },
});
