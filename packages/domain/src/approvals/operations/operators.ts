import * as z from 'zod';
import {
  createOperator as create,
  endInvitations,
  findOperator,
  type OperatorInput,
  revokeTokens,
  setOperatorEnabled,
} from '../../configuration/index.ts';
import { hasRole } from '../../core/operator-rights.ts';
import type { Outcome } from '../../core/rejection.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import { countryList, merchantList, operatorId, roleList, text, tokenId } from '../input-schemas.ts';
import { type Acting, onPlatform } from '../operation.ts';
import { withoutAbsent } from '../without-absent.ts';

// Who makes operators alone could be two people, and agree with themselves: so it takes two.

const name = () => text('Their name.');
const roles = () => roleList('viewer, support, operator, finance, admin: none contains another.');
const subject = (input: { operatorId: string }): string => input.operatorId;

export const createOperator = onPlatform({
  summary:
    'Create an operator; they are let in once they were invited and have redeemed their code. Two operators have to agree.',
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId('2 to 64 small letters, digits or . _ @ -'),
    name: name(),
    roles: roles(),
    countries: countryList('Only merchants of these countries; null or left out: of all.').nullable().optional(),
    merchantIds: merchantList('Only these merchants; null or left out: all.').nullable().optional(),
  }),
  subject,
  needsSecond: () => true,
  execute: ({ domain, by }, input) => {
    const operator = withoutAbsent(input);
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
    "Change an operator's name, roles or restrictions; what is left out stays. On more than a name two operators have to agree.",
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId(),
    name: name().optional(),
    roles: roles().optional(),
    countries: countryList('Only merchants of these countries; null: of all.').nullable().optional(),
    merchantIds: merchantList('Only these merchants; null: all.').nullable().optional(),
  }),
  subject,
  needsSecond: ({ roles, countries, merchantIds }) =>
    roles !== undefined || countries !== undefined || merchantIds !== undefined,
  async execute({ domain, by }, { operatorId, ...input }) {
    const after = withoutAbsent(input);
    if (operatorId === by.actor && input.roles && !hasRole({ roles: input.roles }, ['admin']))
      return ownAccess('the role admin');
    if (operatorId === by.actor && (input.countries || input.merchantIds)) return ownAccess('the whole platform');
    if (Object.keys(after).length === 0) return invalid('settings', 'name nothing that is to be changed');
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
    domain.operators.forget();
    return done;
  },
});

const named = z.strictObject({ operatorId: operatorId() });

export const disableOperator = onPlatform({
  summary: 'Let an operator in no more, whatever their tokens.',
  roles: ['admin'],
  input: named,
  subject,
  async execute(acting, { operatorId }) {
    return operatorId === acting.by.actor ? ownAccess('your own way in') : setEnabled(acting, operatorId, false);
  },
});

export const enableOperator = onPlatform({
  summary: 'Let a disabled operator in again; two operators have to agree.',
  roles: ['admin'],
  input: named,
  subject,
  needsSecond: () => true,
  execute: (acting, { operatorId }) => setEnabled(acting, operatorId, true),
});

async function setEnabled(
  { domain, by }: Acting,
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
  domain.operators.forget();
  return done;
}

export const revokeOperatorTokens = onPlatform({
  summary: "End an operator's tokens at once: one, or all but the one that you use now, and their open invitations.",
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId(),
    tokenId: tokenId('This one alone, by its tokenId.').optional(),
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
    domain.operators.forget();
    return done;
  },
});

function platformChange(change: string) {
  return { tenant: platformTenant, change };
}

function ownAccess(what: string): Outcome<never> {
  return { ok: false, rejection: 'own_access', detail: `you cannot take ${what} from yourself: another operator can` };
}

function invalid(path: string, reason: string): Outcome<never> {
  return { ok: false, rejection: 'invalid_input', fields: [{ path, reason }] };
}
