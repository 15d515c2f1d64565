import { defineEntity, p } from '@mikro-orm/core';
import type { Country, Currency } from '../../core/country.ts';
import type { OrderKind, OrderMode } from '../../core/order.ts';
import { ChannelRow } from './channel.ts';

// Merchants and their configuration. The database fills in the defaults of a new row.

const now = 'clock_timestamp()';

export const Merchant = defineEntity({
  name: 'Merchant',
  tableName: 'merchant',
  properties: {
    merchantId: p.text().primary(),
    name: p.text(),
    country: p.text().$type<Country>(),
    currency: p.text().$type<Currency>(),
    status: p.text().$type<'active' | 'disabled'>().default('active'),
    payinEnabled: p.boolean().default(true),
    payoutEnabled: p.boolean().default(true),
    acceptDeprecatedFields: p.boolean().default(false),
    defaultNotifyUrl: p.text().nullable(),
    ipAllowList: p.array().nullable(),
    requestsPerSecond: p.integer().default(2000),
    requestBurst: p.integer().default(4000),
    payinMin: p.decimal('string').default('0.01'),
    payinMax: p.decimal('string').default('999999999.99'),
    payoutMin: p.decimal('string').default('0.01'),
    payoutMax: p.decimal('string').default('999999999.99'),
    notificationsPaused: p.boolean().default(false),
    tag: p.text(),
    createdAt: p.datetime(3).defaultRaw(now),
    changedAt: p.datetime(3).defaultRaw(now),
    keys: () => p.oneToMany(MerchantKey).mappedBy('merchant'),
    serviceKeys: () => p.oneToMany(MerchantServiceKey).mappedBy('merchant'),
    feeRules: () => p.oneToMany(FeeRuleRow).mappedBy('merchant'),
    scheduledFeeRules: () => p.oneToMany(ScheduledFeeRuleRow).mappedBy('merchant'),
    routes: () => p.oneToMany(RouteRow).mappedBy('merchant'),
  },
});

export const MerchantKey = defineEntity({
  name: 'MerchantKey',
  tableName: 'merchant_key',
  properties: {
    merchant: () => p.manyToOne(Merchant).primary().joinColumn('merchant_id'),
    keyId: p.text().primary(),
    publicKeyPem: p.text(),
    createdAt: p.datetime(3).defaultRaw(now),
    expiresAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

/** A key with which the service signs one merchant's notifications. */
export const MerchantServiceKey = defineEntity({
  name: 'MerchantServiceKey',
  tableName: 'merchant_service_key',
  properties: {
    merchant: () => p.manyToOne(Merchant).primary().joinColumn('merchant_id'),
    keyId: p.text().primary(),
    publicKeyPem: p.text(),
    privateKey: p.blob().hidden(),
    createdAt: p.datetime(3).defaultRaw(now),
    retiresAt: p.datetime(3).nullable(),
  },
});

export const FeeRuleRow = defineEntity({
  name: 'FeeRuleRow',
  tableName: 'fee_rule',
  properties: {
    merchant: () => p.manyToOne(Merchant).primary().joinColumn('merchant_id'),
    kind: p.text().$type<OrderKind>().primary(),
    /** Empty: for every bank code without its own rule. */
    bankCode: p.text().primary(),
    percent: p.decimal('string'),
    fixed: p.decimal('string'),
    minimum: p.decimal('string').nullable(),
    maximum: p.decimal('string').nullable(),
    isRefundable: p.boolean().default(false),
  },
});

/** A fee rule with a beginning. It stays here after its beginning, until another rule is set. */
export const ScheduledFeeRuleRow = defineEntity({
  name: 'ScheduledFeeRuleRow',
  tableName: 'scheduled_fee_rule',
  properties: {
    merchant: () => p.manyToOne(Merchant).primary().joinColumn('merchant_id'),
    kind: p.text().$type<OrderKind>().primary(),
    bankCode: p.text().primary(),
    beginsAt: p.datetime(3).primary(),
    percent: p.decimal('string'),
    fixed: p.decimal('string'),
    minimum: p.decimal('string').nullable(),
    maximum: p.decimal('string').nullable(),
    isRefundable: p.boolean().default(false),
  },
});

export const RouteRow = defineEntity({
  name: 'RouteRow',
  tableName: 'route',
  properties: {
    merchant: () => p.manyToOne(Merchant).primary().joinColumn('merchant_id'),
    routeNo: p.integer().primary(),
    kind: p.text().$type<OrderKind>(),
    bankCode: p.text().nullable(),
    channel: () => p.manyToOne(ChannelRow).joinColumn('channel_id'),
    mode: p.text().$type<OrderMode>().default('upstream'),
    minAmount: p.decimal('string').default('0.01'),
    maxAmount: p.decimal('string').default('999999999999.99'),
    priority: p.integer().default(100),
    weight: p.integer().default(1),
    enabled: p.boolean().default(true),
  },
});
