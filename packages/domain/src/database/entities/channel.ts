import { defineEntity, p } from '@mikro-orm/core';
import type { ChannelMode, DeclaredMode, Environment, SeenMode } from '../../core/environment.ts';
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
    /** Since when each secret is set, by name. */
    credentialsSetAt: p.json<Record<string, string>>().hidden(),
    /** What the adapter saw when key and host were entered; null: not known. */
    seen: p.json<SeenMode>().nullable().hidden(),
    enabled: p.boolean().default(true),
    payinExpirySeconds: p.integer().default(1800),
    /** Seen by the adapter, or declared; null: not known. */
    mode: p.text().$type<Exclude<ChannelMode, 'mixed'>>().nullable(),
    declaredMode: p.text().$type<DeclaredMode>().nullable(),
    declaredBy: p.text().nullable(),
    declaredApprover: p.text().nullable(),
    declaredAt: p.datetime(3).nullable(),
    declaredEvidence: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw(now),
    changedAt: p.datetime(3).defaultRaw(now),
    bankMappings: () => p.oneToMany(BankMappingRow).mappedBy('channel'),
  },
});

/** The environment of this database, set once by `migrate`. */
export const EnvironmentRow = defineEntity({
  name: 'EnvironmentRow',
  tableName: 'environment',
  properties: {
    name: p.text().$type<Environment>().primary(),
    settledAt: p.datetime(3),
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
    isSent: p.boolean(),
    isAnswer: p.boolean(),
  },
});
