import type { Domain } from './domain.ts';

/** Lets an operator in, or no more, whatever their tokens. False if there is none. */
export async function setOperatorEnabled(domain: Domain, operatorId: string, enabled: boolean): Promise<boolean> {
  const { rowCount } = await domain.database.pool.query('update operator set enabled = $2 where operator_id = $1', [
    operatorId,
    enabled,
  ]);
  return rowCount === 1;
}
