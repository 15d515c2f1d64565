import * as z from 'zod';
import {
  externalIdOf,
  findOperator,
  insertInvitation,
  linkOperator,
  unlinkOperator,
} from '../../configuration/index.ts';
import type { Outcome } from '../../core/rejection.ts';
import { timeText } from '../../core/time-text.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import { fingerprint, instant, operatorId, text } from '../input-schemas.ts';
import { onPlatform } from '../operation.ts';

// How people come in. Neither who asks nor who agrees ever holds what another one comes in with (ADR 0011).

const subject = (input: { operatorId: string }): string => input.operatorId;

export interface Invitation {
  operatorId: string;
  invitationId: string;
  /** Until when it can be redeemed, Unix ms. */
  expiresAt: number;
}

export const inviteOperator = onPlatform({
  summary:
    'Let an operator exchange a code that they made themselves for a token, within 72 hours. Two operators have to agree: compare the fingerprint with what the operator tells you.',
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId(),
    fingerprint: fingerprint(
      "The fingerprint of the operator's code, 64 hexadecimal digits: they have it from make-code.",
    ),
    expiresAt: instant('Until when the token will let them in; left out: until it is revoked.').optional(),
  }),
  subject,
  needsSecond: () => true,
  async execute({ domain, by }, { operatorId, fingerprint, expiresAt = null }) {
    const where = { tenant: platformTenant, change: 'inviteOperator' };
    return changeConfiguration<Invitation>(domain, where, by, async (within) => {
      if (!(await findOperator(within, operatorId))) return { ok: false, rejection: 'operator_not_found' };
      if (expiresAt !== null && expiresAt <= Date.now()) return invalid('expiresAt', 'is over: choose a later time');
      const made = await insertInvitation(within, operatorId, fingerprint, expiresAt);
      if (!made) return invalid('fingerprint', 'was used before: let the operator make another code');
      const value = { operatorId, ...made };
      const after = { invitationId: made.invitationId, fingerprint, tokenExpiresAt: timeText(expiresAt) };
      return { ok: true, value: { subject: operatorId, before: null, after, value } };
    });
  },
});

export interface LinkedIdentity {
  operatorId: string;
  issuer: string;
  subject: string;
}

const identity = {
  issuer: text("The identity provider's issuer, as it writes it (`iss`)."),
  subject: text("The person's subject there (`sub`), not their e-mail address."),
};

export const linkIdentity = onPlatform({
  summary:
    'Say that an identity is this operator: from then on they are one and the same. The operator that the identity had of its own is disabled. Two operators have to agree.',
  roles: ['admin'],
  input: z.strictObject({ operatorId: operatorId(), ...identity }),
  subject,
  needsSecond: () => true,
  async execute({ domain, by }, { operatorId, issuer, subject: name }) {
    const where = { tenant: platformTenant, change: 'linkIdentity' };
    const externalId = externalIdOf({ issuer, subject: name });
    const done = await changeConfiguration<LinkedIdentity>(domain, where, by, async (within) => {
      const found = await findOperator(within, operatorId);
      if (!found) return { ok: false, rejection: 'operator_not_found' };
      if (found.externalId !== null) return { ok: false, rejection: 'identity_linked' };
      const disabled = await linkOperator(within, found, externalId);
      const recorded = {
        entity: found,
        fields: ['externalId'],
        before: { disabled },
        after: { issuer, subject: name },
      };
      return { ok: true, value: { subject: operatorId, ...recorded, value: { operatorId, issuer, subject: name } } };
    });
    domain.operators.forget();
    return done;
  },
});

export const unlinkIdentity = onPlatform({
  summary:
    'Say that an operator has no identity any more. When it comes again it is an operator of its own, disabled where it was one before. Two operators have to agree.',
  roles: ['admin'],
  input: z.strictObject({ operatorId: operatorId() }),
  subject,
  needsSecond: () => true,
  async execute({ domain, by }, { operatorId }) {
    const where = { tenant: platformTenant, change: 'unlinkIdentity' };
    return changeConfiguration<{ operatorId: string }>(domain, where, by, async (within) => {
      const found = await findOperator(within, operatorId);
      if (!found) return { ok: false, rejection: 'operator_not_found' };
      if (found.externalId === null) return { ok: false, rejection: 'identity_not_found' };
      await unlinkOperator(within, found);
      const recorded = { entity: found, fields: ['externalId'] };
      return { ok: true, value: { subject: operatorId, ...recorded, value: { operatorId } } };
    });
  },
});

function invalid(path: string, reason: string): Outcome<never> {
  return { ok: false, rejection: 'invalid_input', fields: [{ path, reason }] };
}
