import type { Country } from '../core/country.ts';
import type { Role } from '../core/operator-rights.ts';
import type { Within } from '../ledger/index.ts';
import { hashToken } from './operator-of-token.ts';

export interface OperatorInput {
  operatorId: string;
  name: string;
  roles: readonly Role[];
  /** Only merchants of these countries; left out or null: of all. */
  countries?: readonly Country[] | null;
  /** Only these merchants; left out or null: all. */
  merchantIds?: readonly string[] | null;
}

/** Creates an operator; one that exists keeps its id and gets this name, these roles and these restrictions. Gives what they were before. */
export async function createOperator(
  within: Within,
  { operatorId, name, roles, countries = null, merchantIds = null }: OperatorInput,
): Promise<Omit<OperatorInput, 'operatorId'> | null> {
  const { rows } = await within.database.pool.query<{ before: Omit<OperatorInput, 'operatorId'> | null }>(
    `with old as (select name, roles, countries, merchant_ids as "merchantIds" from operator where operator_id = $1)
     insert into operator (operator_id, name, roles, countries, merchant_ids) values ($1, $2, $3, $4, $5)
     on conflict (operator_id) do update set name = excluded.name, roles = excluded.roles, countries = excluded.countries,
       merchant_ids = excluded.merchant_ids
     returning (select row_to_json(old) from old) as before`,
    [operatorId, name, roles, countries, merchantIds],
  );
  return rows[0]?.before ?? null;
}

/** Lets an operator in with `token` (made by `makeToken`), until `expiresAt` where that is given; only its hash is kept. */
export async function addOperatorToken(
  within: Within,
  operatorId: string,
  token: string,
  expiresAt: Date | null = null,
): Promise<void> {
  await within.database.pool.query(
    'insert into operator_token (token_hash, operator_id, expires_at) values ($1, $2, $3) on conflict do nothing',
    [hashToken(token), operatorId, expiresAt],
  );
}

/** A new token from 32 random bytes: `tgo_` and 43 characters. */
export function makeToken(random: Uint8Array): string {
  return `tgo_${Buffer.from(random).toString('base64url')}`;
}
