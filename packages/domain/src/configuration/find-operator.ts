import type { Country } from '../core/country.ts';
import type { Role } from '../core/operator-rights.ts';
import type { Within } from '../ledger/index.ts';

export interface OperatorView {
  operatorId: string;
  name: string;
  roles: Role[];
  enabled: boolean;
  /** To what they are restricted; null: not at all. */
  countries: Country[] | null;
  merchantIds: string[] | null;
  /** Issuer and subject of an identity provider; null for one who has tokens of ours alone. */
  externalId: string | null;
}

/** The columns of an `OperatorView`. */
export const operatorColumns = `operator_id as "operatorId", name, roles, enabled, countries, merchant_ids as "merchantIds",
  external_id as "externalId"`;

/** An operator by id; null where there is none. */
export async function findOperator(within: Within, operatorId: string): Promise<OperatorView | null> {
  const { rows } = await within.database.pool.query<OperatorView>(
    `select ${operatorColumns} from operator where operator_id = $1`,
    [operatorId],
  );
  return rows[0] ?? null;
}
