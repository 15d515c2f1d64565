import * as z from 'zod';
import {
  createOperator as create,
  endInvitations,
  findOperator,
  type OperatorInput,
  revokeTokens,
  setOperatorEnabled,
} from '../../configuration/index.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { hasRole } from '../../core/operator-rights.ts';
import type { Outcome, Refused } from '../../core/rejection.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import { countryList, merchantList, operatorId, roleList, text, tokenId } from '../input-schemas.ts';
import { changedSettings } from '../labels.ts';
import { type OperationContext, onPlatform } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

// An operator who could create operators alone could create a second account and approve their own requests.

const name = () => text('Full name.');
const roles = () =>
  roleList('Roles of the operator: viewer, support, operator, finance, admin. No role includes another.');
const subject = (input: { operatorId: string }): string => input.operatorId;

export const createOperator = onPlatform({
  summary: 'Create an operator. They can sign in after an invitation. Needs a second operator.',
  title: ({ roles }) => `Create the operator as ${roles.join(', ')}`,
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId('Operator id: 2 to 64 lowercase letters, digits or the characters . _ @ -'),
    name: name(),
    roles: roles(),
    countries: countryList('Restricts the operator to merchants of these countries. Default: no restriction.')
      .nullable()
      .optional(),
    merchantIds: merchantList('Restricts the operator to these merchants. Default: no restriction.')
      .nullable()
      .optional(),
  }),
  subject,
  needsSecond: always,
  grants: (input) => input,
  execute: ({ domain, by }, input) => {
    const operator = omitUndefined(input);
    return changeConfiguration<OperatorInput>(domain, platformChange('createOperator'), by, async (within) => {
      const { operatorId } = operator;
      if (await findOperator(within, operatorId)) return { ok: false, rejection: 'operator_exists' };
      const entity = await create(within, operator);
      return { ok: true, value: { subject: operatorId, entity, value: operator } };
    });
  },
});

export const changeOperator = onPlatform({
  summary:
    "Change an operator's name, roles or restrictions. Omitted fields stay unchanged. Any change other than the name needs a second operator.",
  title: ({ roles, ...others }) => (roles ? `Set the roles to ${roles.join(', ')}` : changedSettings(others)),
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId(),
    name: name().optional(),
    roles: roles().optional(),
    countries: countryList('Restricts the operator to merchants of these countries. Null: no restriction.')
      .nullable()
      .optional(),
    merchantIds: merchantList('Restricts the operator to these merchants. Null: no restriction.').nullable().optional(),
  }),
  subject,
  needsSecond: ({ roles, countries, merchantIds }) =>
    roles !== undefined || countries !== undefined || merchantIds !== undefined,
  versioned: 'operator',
  problem: ({ operatorId, ...input }, request) => {
    if (operatorId !== request.operatorId) return null;
    if (input.roles && !hasRole({ roles: input.roles }, ['admin'])) return ownAccess('the role admin');
    return input.countries || input.merchantIds ? ownAccess('the whole platform') : null;
  },
  grants: ({ operatorId, roles }) => (roles ? { operatorId, roles } : null),
  async execute({ domain, by }, { operatorId, ...input }) {
    const after = omitUndefined(input);
    if (Object.keys(after).length === 0) return invalid('settings', 'name no setting to change');
    const done = await changeConfiguration<OperatorInput>(
      domain,
      platformChange('changeOperator'),
      by,
      async (within) => {
        const found = await findOperator(within, operatorId);
        if (!found) return { ok: false, rejection: 'operator_not_found' };
        const { name, roles, countries = null, merchantIds = null } = found;
        const value = { operatorId, name, roles, countries, merchantIds, ...after };
        const entity = await create(within, value);
        return { ok: true, value: { subject: operatorId, entity, fields: Object.keys(after), value } };
      },
    );
    domain.operators.clearCache();
    return done;
  },
});

const named = z.strictObject({ operatorId: operatorId() });

export const disableOperator = onPlatform({
  summary: 'Block an operator. All their tokens stop working.',
  roles: ['admin'],
  input: named,
  subject,
  versioned: 'operator',
  problem: ({ operatorId }, request) => (operatorId === request.operatorId ? ownAccess('your own way in') : null),
  execute: (context, { operatorId }) => setEnabled(context, operatorId, false),
});

export const enableOperator = onPlatform({
  summary: 'Unblock a disabled operator. Needs a second operator.',
  title: () => 'Unblock the operator',
  roles: ['admin'],
  input: named,
  subject,
  versioned: 'operator',
  needsSecond: always,
  execute: (context, { operatorId }) => setEnabled(context, operatorId, true),
});

async function setEnabled(
  { domain, by }: OperationContext,
  operatorId: string,
  enabled: boolean,
): Promise<Outcome<{ operatorId: string; enabled: boolean }>> {
  const value = { operatorId, enabled };
  const done = await changeConfiguration(domain, platformChange('setOperatorEnabled'), by, async (within) => {
    const entity = await setOperatorEnabled(within, operatorId, enabled);
    if (!entity) return { ok: false, rejection: 'operator_not_found' };
    if (!enabled) await endInvitations(within, operatorId);
    return { ok: true, value: { subject: operatorId, entity, fields: ['enabled'], value } };
  });
  domain.operators.clearCache();
  return done;
}

export const revokeOperatorTokens = onPlatform({
  summary: 'Revoke one token of an operator, or all tokens and open invitations. The token in use stays valid.',
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId(),
    tokenId: tokenId('Token id of the only token to revoke. Default: all tokens.').optional(),
  }),
  subject,
  async execute({ domain, by, tokenId: own }, { operatorId, tokenId }) {
    if (own !== null && tokenId === own) return ownAccess('the token that you use now');
    const done = await changeConfiguration(domain, platformChange('revokeOperatorTokens'), by, async (within) => {
      if (!(await findOperator(within, operatorId))) return { ok: false, rejection: 'operator_not_found' };
      const revoked = await revokeTokens(within, operatorId, tokenId ?? null, own);
      const ended = tokenId === undefined ? await endInvitations(within, operatorId) : 0;
      if (revoked.length === 0 && ended === 0) return { ok: false, rejection: 'token_not_found' };
      const value = { operatorId, tokenIds: revoked };
      return {
        ok: true,
        value: { subject: operatorId, before: { valid: revoked }, after: { revoked, endedInvitations: ended }, value },
      };
    });
    domain.operators.clearCache();
    return done;
  },
});

function platformChange(change: string) {
  return { tenant: platformTenant, change };
}

function ownAccess(what: string): Refused {
  return { ok: false, rejection: 'own_access', detail: `you cannot take ${what} from yourself: another operator can` };
}

function invalid(path: string, reason: string): Outcome<never> {
  return { ok: false, rejection: 'invalid_input', fields: [{ path, reason }] };
}
