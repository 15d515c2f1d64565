import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Outcome } from '../core/rejection.ts';
import { type ChangeAccess, changeConfiguration, platformTenant, type Within } from '../ledger/index.ts';
import { addOperatorToken, makeToken } from './create-operator.ts';
import { hashToken } from './operator-of-token.ts';
import { tokenIdLength } from './operators.ts';
import { tokenIdOf } from './revoke-tokens.ts';

/** For how long an invitation can be redeemed, in hours. */
const invitationHours = 72;
/** So many tries has whoever knows which invitation is open; then it ends. */
const mostTries = 5;

/** A code that a person makes alone, to be exchanged for a token once two operators have agreed to its fingerprint: `tgi_` and 43 characters. */
export function makeCode(random: Uint8Array): string {
  return `tgi_${Buffer.from(random).toString('base64url')}`;
}

/** What of a code may be shown to everybody: its SHA-256, 64 hexadecimal digits. */
export function fingerprintOf(code: string): string {
  return hashToken(code);
}

/** Whether this can be a code: what else it could be is not looked up. */
function isCode(code: string): boolean {
  return /^tgi_[A-Za-z0-9_-]{43}$/.test(code);
}

/** Keeps an invitation; null where this code was used for another one. */
export async function insertInvitation(
  within: Within,
  operatorId: string,
  fingerprint: string,
  tokenExpiresAt: number | null,
): Promise<{ invitationId: string; expiresAt: number } | null> {
  const { rows } = await within.database.pool.query<{ invitationId: string; expiresAt: number }>(
    `insert into operator_invitation (invitation_id, operator_id, code_hash, token_expires_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp() + interval '${invitationHours} hours') on conflict do nothing
     returning invitation_id as "invitationId", round(extract(epoch from expires_at) * 1000)::float8 as "expiresAt"`,
    [
      fingerprint.slice(0, tokenIdLength),
      operatorId,
      fingerprint,
      tokenExpiresAt === null ? null : new Date(tokenExpiresAt),
    ],
  );
  return rows[0] ?? null;
}

/** Ends an operator's invitations that nobody has redeemed; tells how many. */
export async function endInvitations(within: Within, operatorId: string): Promise<number> {
  const { rowCount } = await within.database.pool.query(
    'update operator_invitation set ended_at = clock_timestamp() where operator_id = $1 and ended_at is null and redeemed_at is null',
    [operatorId],
  );
  return rowCount ?? 0;
}

/** The only time that anybody sees the token: whoever had the code. */
export interface RedeemedToken {
  operatorId: string;
  tokenId: string;
  /** Unix ms; null: until it is revoked. */
  expiresAt: number | null;
  token: string;
}

const isOpen = 'redeemed_at is null and ended_at is null and expires_at > clock_timestamp()';

/**
 * Exchanges a code for a token, once. Everything that is not right gives the same refusal, invitation_not_found. Each try is counted before the
 * code is looked at, so that many at once are no more tries than are allowed.
 */
export async function redeemInvitation(domain: ChangeAccess, code: string): Promise<Outcome<RedeemedToken>> {
  const absent = { ok: false, rejection: 'invitation_not_found' } as const;
  if (!isCode(code)) return absent;
  const hash = fingerprintOf(code);
  const invitationId = hash.slice(0, tokenIdLength);
  const { rows } = await domain.database.pool.query<{ operatorId: string; codeHash: string }>(
    `update operator_invitation set wrong_tries = wrong_tries + 1,
       ended_at = case when wrong_tries + 1 > ${mostTries} then clock_timestamp() end
     where invitation_id = $1 and ${isOpen} returning operator_id as "operatorId", code_hash as "codeHash"`,
    [invitationId],
  );
  const [found] = rows;
  if (!found || !timingSafeEqual(Buffer.from(found.codeHash), Buffer.from(hash))) return absent;
  const by = { actor: found.operatorId, approver: null, reason: 'redeemed the invitation' };
  const where = { tenant: platformTenant, change: 'redeemInvitation' };
  return changeConfiguration<RedeemedToken>(domain, where, by, async (within) => {
    const redeemed = await within.database.pool.query<{ expiresAt: number | null }>(
      `update operator_invitation i set redeemed_at = clock_timestamp() from operator o
       where i.invitation_id = $1 and o.operator_id = i.operator_id and o.enabled and i.redeemed_at is null and i.ended_at is null
         and i.expires_at > clock_timestamp() and (i.token_expires_at is null or i.token_expires_at > clock_timestamp())
       returning round(extract(epoch from i.token_expires_at) * 1000)::float8 as "expiresAt"`,
      [invitationId],
    );
    const [row] = redeemed.rows;
    if (!row) return absent;
    const { operatorId } = found;
    const token = makeToken(randomBytes(32));
    const { expiresAt } = row;
    const ends = expiresAt === null ? null : new Date(expiresAt);
    await addOperatorToken(within, operatorId, token, ends);
    const tokenId = tokenIdOf(token);
    const after = { invitationId, tokenId, expiresAt: ends };
    return {
      ok: true,
      value: { subject: operatorId, before: null, after, value: { operatorId, tokenId, expiresAt, token } },
    };
  });
}
