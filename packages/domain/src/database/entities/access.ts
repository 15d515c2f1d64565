import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Country } from '../../core/country.ts';
import type { Role } from '../../core/operator-rights.ts';

// Who owns public keys, and the service's operators.

const now = 'clock_timestamp()';

export const PublicKeyOwner = defineEntity({
  name: 'PublicKeyOwner',
  tableName: 'public_key_owner',
  properties: {
    keyId: p.text().primary(),
    owner: p.text(),
  },
});

export const Operator = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: {
    operatorId: p.text().primary(),
    name: p.text(),
    roles: p.array().$type<Role[]>(),
    enabled: p.boolean().default(true),
    countries: p.array().$type<Country[]>().nullable(),
    merchantIds: p.array().nullable(),
    externalId: p.text().nullable(),
    identityRoles: p.array().nullable(),
    identitySeenAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw(now),
    tokens: () => p.oneToMany(OperatorToken).mappedBy('operator'),
    invitations: () => p.oneToMany(OperatorInvitation).mappedBy('operator'),
  },
});

export const OperatorToken = defineEntity({
  name: 'OperatorToken',
  tableName: 'operator_token',
  properties: {
    tokenHash: p.text().primary().hidden(),
    operator: () => p.manyToOne(Operator).joinColumn('operator_id'),
    createdAt: p.datetime(3).defaultRaw(now),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

export const OperatorInvitation = defineEntity({
  name: 'OperatorInvitation',
  tableName: 'operator_invitation',
  properties: {
    invitationId: p.text().primary(),
    operator: () => p.manyToOne(Operator).joinColumn('operator_id'),
    codeHash: p.text().hidden(),
    createdAt: p.datetime(3).defaultRaw(now),
    expiresAt: p.datetime(3),
    tokenExpiresAt: p.datetime(3).nullable(),
    wrongTries: p.integer().default(0),
    redeemedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
  },
});

/**
 * A session of the console. It is valid as long as its sign-in: a token of the service, or an identity of the provider.
 */
export const OperatorSession = defineEntity({
  name: 'OperatorSession',
  tableName: 'operator_session',
  properties: {
    sessionHash: p.text().primary().hidden(),
    operator: () => p.manyToOne(Operator).joinColumn('operator_id'),
    tokenHash: p.text().nullable().hidden(),
    externalId: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw(now),
    expiresAt: p.datetime(3),
    lastUsedAt: p.datetime(3).defaultRaw(now),
  },
});

/** The amount that an operator moved without a second operator in a UTC day, in one currency. */
export const OperatorDay = defineEntity({
  name: 'OperatorDay',
  tableName: 'operator_day',
  properties: {
    operatorId: p.text().primary(),
    day: p.date().primary(),
    currency: p.text().primary(),
    amount: p.decimal('string'),
  },
});

export const AuditRecordRow = defineEntity({
  name: 'AuditRecordRow',
  tableName: 'audit_record',
  properties: {
    merchantId: p.text().primary(),
    auditNo: p.bigint('number').primary(),
    actor: p.text(),
    approver: p.text().nullable(),
    action: p.text(),
    subject: p.text(),
    reason: p.text(),
    detail: p.text(),
    at: p.datetime(3),
    commandId: p.uuid().nullable(),
    batchNo: p.bigint('number'),
  },
});

/** The audit records that changed their tenant's configuration, numbered without gaps. A trigger writes them. */
export const ConfigurationVersionRow = defineEntity({
  name: 'ConfigurationVersionRow',
  tableName: 'configuration_version',
  properties: {
    merchantId: p.text().primary(),
    versionNo: p.bigint('number').primary(),
    auditNo: p.bigint('number'),
  },
});

export const ApprovalRow = defineEntity({
  name: 'ApprovalRow',
  tableName: 'approval',
  properties: {
    merchantId: p.text().primary(),
    approvalId: p.text().primary(),
    operation: p.text(),
    subject: p.text(),
    alsoSubjects: p.array(),
    input: p.json<object>(),
    requestedBy: p.text().name('asked_by'),
    reason: p.text(),
    requestedAt: p.datetime(3).name('asked_at'),
    expiresAt: p.datetime(3),
    state: p.text(),
    decidedBy: p.text().nullable(),
    decidedAt: p.datetime(3).nullable(),
    outcome: p.text().nullable(),
    secrets: p.blob().nullable(),
    expectedVersion: p.text().nullable(),
    effect: p.text().nullable(),
    effectNow: p.text().nullable(),
  },
});

/** What the ledger writer changes of approvals. Secrets are deleted with it. */
export const approvalChanges = [
  'state',
  'decidedBy',
  'decidedAt',
  'outcome',
  'effectNow',
] as const satisfies readonly (keyof InferEntity<typeof ApprovalRow>)[];
