import { defineEntity, p } from '@mikro-orm/core';

// Channels, their bank codes, and the calls made to them.

export const ChannelRow = defineEntity({
  name: 'ChannelRow',
  tableName: 'channel',
  properties: {
    channelId: p.text().primary(),
    adapter: p.text(),
    baseUrl: p.text(),
    credentials: p.blob().nullable(),
    enabled: p.boolean(),
    payinExpirySeconds: p.integer(),
    createdAt: p.datetime(3),
    changedAt: p.datetime(3),
  },
});

export const BankMappingRow = defineEntity({
  name: 'BankMappingRow',
  tableName: 'bank_mapping',
  properties: {
    channelId: p.text().primary(),
    kind: p.text().primary(),
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
