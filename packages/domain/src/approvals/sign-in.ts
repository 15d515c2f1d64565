import type { OperatorContext, SignIn } from '../core/operator-rights.ts';
import type { Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { ApprovalRules } from './operation.ts';
import { anyIdentitySql } from './statements.ts';

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
