import type { Within } from '../ledger/index.ts';

/** Lets an operator in, or no more, whatever their tokens. Gives how it was before; null if there is none such. */
export async function setOperatorEnabled(
  within: Within,
  operatorId: string,
  enabled: boolean,
): Promise<boolean | null> {
  const { rows } = await within.database.pool.query<{ before: boolean }>(
    `with old as (select enabled from operator where operator_id = $1)
     update operator set enabled = $2 where operator_id = $1 returning (select enabled from old) as before`,
    [operatorId, enabled],
  );
  return rows[0]?.before ?? null;
}
