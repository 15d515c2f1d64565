import type { DirectoryAccess } from '../configuration/index.ts';
import type { Country } from '../core/country.ts';
import { hasRole, mayAccess, type OperatorContext, type Role } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { ownerOf, problemOfAffected } from './find-facts.ts';
import type { AnyOperation, ApprovalRules, Facts, ReadInput } from './operation.ts';
import { problemOfGrant } from './problem-of-grant.ts';
import { rightsSql, routeToChannelSql } from './queries.ts';
import { approvalSignIn } from './sign-in.ts';

interface Row {
  enabled: boolean;
  roles: Role[];
  countries: Country[] | null;
  merchantIds: string[] | null;
  identityRoles: Role[] | null;
  wasSeen: boolean;
  hasToken: boolean;
}

/** An operation with its input and its subject. */
export interface Target {
  operation: AnyOperation;
  input: ReadInput;
  facts: Facts;
}

/**
 * Whether an operator has the rights for an operation now, checked in the database just before it is executed. The
 * operator has to be enabled, and the restriction has to allow the subject. The sign-in has to be current: a valid
 * token (that of `tokenId`, if given), or an identity that was seen within a day with the role.
 */
export async function hasRightsNow(
  domain: LedgerReadAccess & DirectoryAccess & ApprovalRules,
  { operatorId, tokenId }: Pick<OperatorContext, 'operatorId'> & { tokenId: string | null },
  target: Target,
  { isRequester = false } = {},
): Promise<boolean> {
  const { rows } = await domain.database.pool.query<Row>(rightsSql, [operatorId, tokenId]);
  const [row] = rows;
  if (!row?.enabled) return false;
  const isIdentity = (await approvalSignIn(domain)) === 'oidc';
  const roles = isIdentity ? (row.wasSeen ? (row.identityRoles ?? []) : []) : row.hasToken ? row.roles : [];
  const { operation, facts, input } = target;
  if (!hasRole({ roles }, operation.roles) || !mayAccess(row, ownerOf(facts))) return false;
  if (isRequester && (await problemOfGrant(domain, roles, target))) return false;
  return (
    (await mayUseChannelOf(domain, row, target)) && (await problemOfAffected(domain, row, operation, input)) === null
  );
}

/** Whether the operation's channel is within the operator's restriction: a channel that their merchants use. */
export async function mayUseChannelOf(
  { database }: DatabaseAccess,
  { countries, merchantIds }: Pick<OperatorContext, 'countries' | 'merchantIds'>,
  { operation, input }: Pick<Target, 'operation' | 'input'>,
): Promise<boolean> {
  const isRestricted = countries !== null || merchantIds !== null;
  const { channelField } = operation;
  if (!isRestricted || channelField === undefined) return true;
  const { [channelField]: channelId } = input as Partial<Record<typeof channelField, string>>;
  // Without it a channel of the merchant's routes is used.
  if (channelId === undefined) return true;
  const { rows } = await database.pool.query(routeToChannelSql, [channelId, countries, merchantIds]);
  return rows.length > 0;
}
