import { defineEntity, p } from '@mikro-orm/core';

// Sums over orders, transfers, entries and logs. Only the roll-ups write them.

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

export const OrderFiguresByQuarter = defineEntity({
  name: 'OrderFiguresByQuarter',
  tableName: 'order_figures_by_quarter',
  properties: orderFigures,
});

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

const orderFacets = { ...orderFigures, facet: p.text().primary(), value: p.text().primary() };

export const OrderFacetsByQuarter = defineEntity({
  name: 'OrderFacetsByQuarter',
  tableName: 'order_facets_by_quarter',
  properties: orderFacets,
});

export const OrderFacetsByHour = defineEntity({
  name: 'OrderFacetsByHour',
  tableName: 'order_facets_by_hour',
  properties: orderFacets,
});

export const OrderFacetsByDay = defineEntity({
  name: 'OrderFacetsByDay',
  tableName: 'order_facets_by_day',
  properties: orderFacets,
});

export const OrderFacetsProgress = defineEntity({
  name: 'OrderFacetsProgress',
  tableName: 'order_facets_progress',
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

export const WalletEntrySum = defineEntity({
  name: 'WalletEntrySum',
  tableName: 'wallet_entry_sum',
  properties: {
    merchantId: p.text().primary(),
    blockNo: p.bigint('number').primary(),
    type: p.text().primary(),
    entries: p.bigint('number'),
    available: p.decimal('string'),
    frozen: p.decimal('string'),
  },
});

export const ChannelHealthRow = defineEntity({
  name: 'ChannelHealthRow',
  tableName: 'channel_health',
  properties: {
    channelId: p.text().primary(),
    grain: p.text().primary(),
    startsAt: p.datetime(3).primary(),
    operation: p.text().primary(),
    calls: p.bigint('number'),
    answered: p.bigint('number'),
    refused: p.bigint('number'),
    buckets: p.array<number>().columnType('integer[]'),
    counts: p.array<number>().columnType('integer[]'),
    lastError: p.text().nullable(),
    lastErrorAt: p.datetime(3).nullable(),
  },
});

export const HostHealthRow = defineEntity({
  name: 'HostHealthRow',
  tableName: 'host_health',
  properties: {
    merchantId: p.text().primary(),
    host: p.text().primary(),
    lastSuccessAt: p.datetime(3).nullable(),
    lastFailureAt: p.datetime(3).nullable(),
    lastError: p.text().nullable(),
    lastHttpStatus: p.integer().nullable(),
    lastAttemptAt: p.datetime(3),
  },
});

export const LogProgress = defineEntity({
  name: 'LogProgress',
  tableName: 'log_progress',
  properties: { log: p.text().primary(), until: p.datetime(3) },
});
