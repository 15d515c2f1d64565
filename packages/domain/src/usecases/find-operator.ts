import type { Role } from './create-operator.ts';
import type { Domain } from './domain.ts';

export interface OperatorView {
  operatorId: string;
  name: string;
  roles: Role[];
  enabled: boolean;
}

/** An operator by id; null where there is none. */
export async function findOperator(domain: Domain, operatorId: string): Promise<OperatorView | null> {
  const { rows } = await domain.database.pool.query<OperatorView>(
    'select operator_id as "operatorId", name, roles, enabled from operator where operator_id = $1',
    [operatorId],
  );
  return rows[0] ?? null;
}
