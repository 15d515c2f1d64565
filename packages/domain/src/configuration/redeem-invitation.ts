import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { InferEntity } from '@mikro-orm/postgresql';
import type { Outcome } from '../core/rejection.ts';
import { OperatorInvitation } from '../database/entities/access.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { addOperatorToken, makeToken } from './create-operator.ts';
import { hashToken } from './operator-of-token.ts';
import { countTry, tokenIdLength } from './queries.ts';
import { tokenIdOf } from './revoke-tokens.ts';

/** How long an invitation can be redeemed. */
const invitationMs = 72 * 60 * 60_000;
/** After this number of wrong codes an invitation ends. */
const maxTries = 5;

/**
 * A new code: `tgi_` and 43 characters. A person makes it alone, and exchanges it for a token after two operators
 * approved its fingerprint.
 */
export function makeCode(random: Uint8Array): string {
  return `tgi_${Buffer.from(random).toString('base64url')}`;
}

/** The public part of a code: its SHA-256, 64 hexadecimal digits. */
export function fingerprintOf(code: string): string {
  return hashToken(code);
}

/** Whether the text has the form of a code. Other text is not looked up. */
function isCode(code: string): boolean {
  return /^tgi_[A-Za-z0-9_-]{43}$/.test(code);
}

/** Stores an invitation; null if its code was used for another one. */
export async function insertInvitation(
  within: ChangeTransaction,
  operatorId: string,
  fingerprint: string,
  tokenExpiresAt: number | null,
): Promise<{ invitationId: string; expiresAt: number } | null> {
  const em = within.database.unitOfWork();
  const invitationId = fingerprint.slice(0, tokenIdLength);
  if (await em.findOne(OperatorInvitation, invitationId)) return null;
  const expiresAt = new Date((await databaseNow(em)).getTime() + invitationMs);
  const invitation = em.create(OperatorInvitation, {
    invitationId,
    operator: operatorId,
    codeHash: fingerprint,
    expiresAt,
    tokenExpiresAt: tokenExpiresAt === null ? null : new Date(tokenExpiresAt),
  });
  await em.persist(invitation).flush();
  return { invitationId, expiresAt: expiresAt.getTime() };
}

/** Ends an operator's open invitations, and returns how many. */
export async function endInvitations(within: ChangeTransaction, operatorId: string): Promise<number> {
  const em = within.database.unitOfWork();
  const open = await em.find(OperatorInvitation, { operator: operatorId, endedAt: null, redeemedAt: null });
  const endedAt = await databaseNow(em);
  for (const invitation of open) invitation.endedAt = endedAt;
  await em.flush();
  return open.length;
}

/** The token, returned once, to the caller who had the code. */
export interface RedeemedToken {
  operatorId: string;
  tokenId: string;
  /** Unix ms; null: until it is revoked. */
  expiresAt: number | null;
  token: string;
}

/**
 * Exchanges a code for a token, once. Every failure gives the same refusal, invitation_not_found. Each try is counted
 * before the code is checked, so that concurrent tries cannot exceed the limit.
 */
export async function redeemInvitation(domain: ChangeAccess, code: string): Promise<Outcome<RedeemedToken>> {
  const absent = { ok: false, rejection: 'invitation_not_found' } as const;
  if (!isCode(code)) return absent;
  const hash = fingerprintOf(code);
  const invitationId = hash.slice(0, tokenIdLength);
  const { rows } = await domain.database.pool.query<{ operatorId: string; codeHash: string }>(countTry, [
    invitationId,
    maxTries,
  ]);
  const [found] = rows;
  if (!found || !timingSafeEqual(Buffer.from(found.codeHash), Buffer.from(hash))) return absent;
  const by = { actor: found.operatorId, approver: null, reason: 'redeemed the invitation' };
  const where = { tenant: platformTenant, change: 'redeemInvitation' };
  return changeConfiguration<RedeemedToken>(domain, where, by, async (within) => {
    const em = within.database.unitOfWork();
    const invitation = await em.findOne(OperatorInvitation, invitationId, { populate: ['operator'] });
    const now = await databaseNow(em);
    if (!invitation || !canRedeem(invitation, now)) return absent;
    invitation.redeemedAt = now;
    await em.flush();
    const { operatorId } = found;
    const token = makeToken(randomBytes(32));
    const ends = invitation.tokenExpiresAt ?? null;
    await addOperatorToken(within, operatorId, token, ends);
    const tokenId = tokenIdOf(token);
    const after = { invitationId, tokenId, expiresAt: ends };
    const value = { operatorId, tokenId, expiresAt: ends?.getTime() ?? null, token };
    return { ok: true, value: { subject: operatorId, before: null, after, value } };
  });
}

function canRedeem(
  { redeemedAt, endedAt, expiresAt, tokenExpiresAt, operator }: InferEntity<typeof OperatorInvitation>,
  now: Date,
): boolean {
  const isOpen = redeemedAt == null && endedAt == null && expiresAt > now;
  return isOpen && operator.enabled && (tokenExpiresAt == null || tokenExpiresAt > now);
}
