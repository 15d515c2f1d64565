import type { Country } from '../core/country.ts';
import type { Role } from '../core/operator-rights.ts';
import { Operator, OperatorToken } from '../database/entities/access.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { hashToken } from './operator-of-token.ts';

export interface OperatorInput {
  operatorId: string;
  name: string;
  roles: readonly Role[];
  /** Only merchants of these countries. Null or left out: all. */
  countries?: readonly Country[] | null;
  /** Only these merchants. Null or left out: all. */
  merchantIds?: readonly string[] | null;
}

/** Creates an operator, or replaces the name, roles and restrictions of an existing one. Returns the operator. */
export async function createOperator(within: ChangeTransaction, operator: OperatorInput): Promise<object> {
  const { operatorId, name, roles, countries = null, merchantIds = null } = operator;
  const em = within.database.unitOfWork();
  const settings = {
    name,
    roles: [...roles],
    countries: countries && [...countries],
    merchantIds: merchantIds && [...merchantIds],
  };
  const found = await em.findOne(Operator, operatorId);
  const set = found ? em.assign(found, settings) : em.create(Operator, { operatorId, ...settings });
  await em.persist(set).flush();
  return set;
}

/** Adds an operator's `token` (made by `makeToken`), valid until `expiresAt` if given. Only its hash is stored. */
export async function addOperatorToken(
  within: ChangeTransaction,
  operatorId: string,
  token: string,
  expiresAt: Date | null = null,
): Promise<void> {
  const em = within.database.unitOfWork();
  const tokenHash = hashToken(token);
  if (await em.findOne(OperatorToken, tokenHash)) return;
  await em.persist(em.create(OperatorToken, { tokenHash, operator: operatorId, expiresAt })).flush();
}

/** A new token from 32 random bytes: `tgo_` and 43 characters. */
export function makeToken(random: Uint8Array): string {
  return `tgo_${Buffer.from(random).toString('base64url')}`;
}
