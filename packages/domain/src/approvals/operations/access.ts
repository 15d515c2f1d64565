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
import { always } from '../second-operator-rule.ts';

// How operators get access. Neither the requester nor the approver ever holds another person's token or code (ADR
// 0011).

const subject = (input: { operatorId: string }): string => input.operatorId;

export interface Invitation {
  operatorId: string;
  invitationId: string;
  /** The invitation can be redeemed until then, in Unix ms. */
  expiresAt: number;
}

export const inviteOperator = onPlatform({
  summary:
    'Invite an operator to exchange their own code for a token within 72 hours. First compare the fingerprint with the operator in person or by phone. Needs a second operator.',
  title: () => 'Invite the operator',
  roles: ['admin'],
  input: z.strictObject({
    operatorId: operatorId(),
    fingerprint: fingerprint(
      "Fingerprint of the operator's code, 64 hexadecimal digits. The operator gets it from the command `make-code`.",
    ),
    expiresAt: instant('The token is valid until this time. Default: until it is revoked.').optional(),
  }),
  subject,
  needsSecond: always,
  async execute({ domain, by }, { operatorId, fingerprint, expiresAt = null }) {
    const where = { tenant: platformTenant, change: 'inviteOperator' };
    return changeConfiguration<Invitation>(domain, where, by, async (within) => {
      if (!(await findOperator(within, operatorId))) return { ok: false, rejection: 'operator_not_found' };
      if (expiresAt !== null && expiresAt <= Date.now())
        return invalid('expiresAt', 'is in the past: choose a later time');
      const created = await insertInvitation(within, operatorId, fingerprint, expiresAt);
      if (!created) return invalid('fingerprint', 'was used before: let the operator make another code');
      const value = { operatorId, ...created };
      const after = { invitationId: created.invitationId, fingerprint, tokenExpiresAt: timeText(expiresAt) };
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
  issuer: text('Issuer of the identity provider, exactly as in `iss`.'),
  subject: text('Subject of the person at the identity provider (`sub`), not the e-mail address.'),
};

export const linkIdentity = onPlatform({
  summary:
    'Link an identity of the identity provider to an operator. An operator created for that identity earlier is disabled. Needs a second operator.',
  title: () => 'Link an identity',
  roles: ['admin'],
  input: z.strictObject({ operatorId: operatorId(), ...identity }),
  subject,
  versioned: 'operator',
  needsSecond: always,
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
    domain.operators.clearCache();
    return done;
  },
});

export const unlinkIdentity = onPlatform({
  summary:
    'Unlink an operator from their identity. At its next sign-in the identity is a separate operator, disabled if it existed before. Needs a second operator.',
  title: () => 'Unlink the identity',
  roles: ['admin'],
  input: z.strictObject({ operatorId: operatorId() }),
  subject,
  versioned: 'operator',
  needsSecond: always,
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
