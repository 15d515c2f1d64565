import { defineEntity, p } from '@mikro-orm/core';

// Merchants and what is configured for them.

export const Merchant = defineEntity({
  name: 'Merchant',
  tableName: 'merchant',
  properties: {
    merchantId: p.text().primary(),
    name: p.text(),
    country: p.text(),
    currency: p.text(),
    status: p.text(),
    payinEnabled: p.boolean(),
    payoutEnabled: p.boolean(),
    acceptDeprecatedFields: p.boolean(),
    defaultNotifyUrl: p.text().nullable(),
    ipAllowList: p.array().nullable(),
    requestsPerSecond: p.integer(),
    requestBurst: p.integer(),
    payinMin: p.decimal('string'),
    payinMax: p.decimal('string'),
    payoutMin: p.decimal('string'),
    payoutMax: p.decimal('string'),
    notificationsPaused: p.boolean(),
    tag: p.text(),
    createdAt: p.datetime(3),
    changedAt: p.datetime(3),
  },
});

export const MerchantKey = defineEntity({
  name: 'MerchantKey',
  tableName: 'merchant_key',
  properties: {
    merchantId: p.text().primary(),
    keyId: p.text().primary(),
    publicKeyPem: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

export const FeeRuleRow = defineEntity({
  name: 'FeeRuleRow',
  tableName: 'fee_rule',
  properties: {
    merchantId: p.text().primary(),
    kind: p.text().primary(),
    bankCode: p.text().primary(),
    percent: p.decimal('string'),
    fixed: p.decimal('string'),
    minimum: p.decimal('string').nullable(),
    maximum: p.decimal('string').nullable(),
  },
});

export const RouteRow = defineEntity({
  name: 'RouteRow',
  tableName: 'route',
  properties: {
    merchantId: p.text().primary(),
    routeNo: p.integer().primary(),
    kind: p.text(),
    bankCode: p.text().nullable(),
    channelId: p.text(),
    mode: p.text(),
    minAmount: p.decimal('string'),
    maxAmount: p.decimal('string'),
    priority: p.integer(),
    weight: p.integer(),
    enabled: p.boolean(),
  },
});
