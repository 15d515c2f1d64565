import type { OperatorContext, SignIn } from '../core/operator-rights.ts';
import type { Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { ApprovalRules } from './operation.ts';
import { anyIdentitySql, uploadersSql } from './queries.ts';

type SignInAccess = DatabaseAccess & Pick<ApprovalRules, 'approvalSignIn'>;

/**
 * The one kind of sign-in for requests and approvals that need two operators. With both kinds allowed, one person could
 * use a token and an identity and act as two. Null if nothing is configured and both kinds are in use.
 */
export async function approvalSignIn({ database, approvalSignIn: chosen }: SignInAccess): Promise<SignIn | null> {
  if (chosen !== null) return chosen;
  const { rows } = await database.pool.query(anyIdentitySql);
  return rows.length === 0 ? 'token' : null;
}

/** Why this sign-in is not allowed for operations with two operators; null if it is. */
export async function problemOfSignIn(
  domain: SignInAccess,
  { signIn }: Pick<OperatorContext, 'signIn'>,
): Promise<Refused | null> {
  const needed = await approvalSignIn(domain);
  if (needed === signIn) return null;
  const detail =
    needed === null
      ? 'both tokens and identities let people in here: set TIDEGATE_APPROVAL_SIGN_IN to the kind that decides'
      : `here people decide by ${needed === 'oidc' ? 'their identity, not by a token' : 'a token, not by their identity'}`;
  return { ok: false, rejection: 'sign_in_refused', detail };
}

interface Uploader {
  operatorId: string;
  hasIdentity: boolean;
  hasToken: boolean;
}

/**
 * Why nobody can confirm an uploaded statement: who uploaded it, or had it imported, only has the other kind of sign-in,
 * and so could be the person who confirms it. Null if there is no reason, or no such upload.
 */
export async function problemOfUploader(
  domain: SignInAccess,
  { tenant, fileNo }: { tenant: string; fileNo: number },
): Promise<Refused | null> {
  const { rows } = await domain.database.pool.query<Uploader>(uploadersSql, [tenant, fileNo]);
  const needed = await approvalSignIn(domain);
  const uploader = rows.find((one) => !(needed === 'oidc' ? one.hasIdentity : one.hasToken));
  if (!uploader) return null;
  const kind = needed === 'oidc' ? 'identity' : 'token';
  const detail = `${uploader.operatorId}, who uploaded it or had it imported, has no ${kind}: two operators decide on its breaks instead`;
  return { ok: false, rejection: 'sign_in_refused', detail };
}
