import type { Country } from '../core/country.ts';
import { timeZoneOf } from '../countries/index.ts';
import { todaySql } from './files/queries.ts';

interface TodayAccess {
  database: { pool: { query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }> } };
}

/** Today in a country by the clock of the database, as `YYYY-MM-DD`. */
export async function todayOf({ database }: TodayAccess, country: Country): Promise<string> {
  const { rows } = await database.pool.query<{ today: string }>(todaySql, [timeZoneOf[country]]);
  return rows[0]?.today ?? '';
}
