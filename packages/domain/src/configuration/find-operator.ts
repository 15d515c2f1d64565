import type { InferEntity } from '@mikro-orm/postgresql';
import type { Country } from '../core/country.ts';
import type { Role } from '../core/operator-rights.ts';
import { Operator } from '../database/entities/access.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

export interface OperatorView {
  operatorId: string;
  name: string;
  roles: Role[];
  enabled: boolean;
  /** The operator's restriction; null: none. */
  countries: Country[] | null;
  merchantIds: string[] | null;
  /** Issuer and subject of an identity provider; null for an operator with tokens only. */
  externalId: string | null;
}

/** An operator within a unit of work. */
export type OperatorRow = InferEntity<typeof Operator>;

/** An operator by id; null if there is none. */
export function findOperator(within: ChangeTransaction, operatorId: string): Promise<OperatorRow | null> {
  return within.database.unitOfWork().findOne(Operator, operatorId);
}
