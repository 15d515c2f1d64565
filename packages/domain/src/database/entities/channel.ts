import { defineEntity, p } from '@mikro-orm/core';
import type { OrderKind } from '../../core/order.ts';

// Channels, their bank codes, and the calls made to them.

const now = 'clock_timestamp()';

export const ChannelRow = defineEntity({
  name: 'ChannelRow',
  tableName: 'channel',
  properties: {
    channelId: p.text().primary(),
    adapter: p.text(),
    baseUrl: p.text(),
    credentials: p.blob().nullable().hidden(),
    /** Since when each secret is set, by name; null: not known. */
    credentialsSetAt: p.json<Record<string, string>>().nullable().hidden(),
    enabled: p.boolean().default(true),
    payinExpirySeconds: p.integer().default(1800),
    createdAt: p.datetime(3).defaultRaw(now),
    changedAt: p.datetime(3).defaultRaw(now),
    bankMappings: () => p.oneToMany(BankMappingRow).mappedBy('channel'),
  },
});

export const BankMappingRow = defineEntity({
  name: 'BankMappingRow',
  tableName: 'bank_mapping',
  properties: {
    channel: () => p.manyToOne(ChannelRow).primary().joinColumn('channel_id'),
    kind: p.text().$type<OrderKind>().primary(),
    bankCode: p.text().primary(),
    channelBankCode: p.text(),
  },
});

export const ChannelCall = defineEntity({
  name: 'ChannelCall',
  tableName: 'channel_call',
  properties: {
    merchantId: p.text().primary(),
    orderNo: p.text().primary(),
    callId: p.text().primary(),
    channelId: p.text(),
    operation: p.text(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    outcome: p.text(),
    detail: p.text().nullable(),
  },
});
