import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { migrateDatabase } from '../src/database/migrate-database.ts';
import { type DatabaseRole, databaseRoles } from '../src/database/role-grants.ts';
import { openTestDomain, type TestDomain } from '../src/testing/index.ts';
import { aFundedMerchant } from '../src/testing/payouts.ts';
import { countRecords } from './forged-rows.ts';
import { createServiceRoles, urlOf } from './service-roles.ts';

/** A database of which someone has the connection of one role. */
export interface StolenRoles {
  owner: TestDomain;
  url: string;
  /** A merchant in India that has 1,000.00. Operator ann and the credentials of the channel `fake` are there too. */
  merchantId: string;
  /**
   * Runs the statements as one transaction of the role. `$1` is the merchant, or `of`. `isKept`: whether they stay; else they are
   * taken back after all checks.
   */
  attack(role: DatabaseRole, statements: readonly string[], isKept?: boolean, of?: string): Promise<void>;
  pool(role: DatabaseRole): pg.Pool;
  close(): Promise<unknown>;
}

export async function openStolenRoles(): Promise<StolenRoles> {
  const { url } = await createTestDatabase();
  const owner = await openTestDomain(url);
  await createServiceRoles(owner.domain.database.pool);
  await migrateDatabase(url);
  const pools = new Map(
    databaseRoles.map((role) => [role, new pg.Pool({ connectionString: urlOf(url, role), max: 1 })]),
  );
  const { merchantId } = await aFundedMerchant(owner.domain, 'IN', '1000.00');
  for (const statement of [
    `insert into channel_credential (channel_id, name, payin, payout) values ('fake', 'key', '\\x01', '\\x01')`,
    `insert into operator (operator_id, name, roles) values ('ann', 'Ann', '{admin}')`,
  ])
    await owner.domain.database.pool.query(statement);
  const pool = (role: DatabaseRole): pg.Pool => pools.get(role) as pg.Pool;
  return {
    owner,
    url,
    merchantId,
    pool,
    async attack(role, statements, isKept = false, of = merchantId) {
      const client = await pool(role).connect();
      try {
        await client.query('begin');
        for (const one of statements) await client.query(one, one.includes('$1') ? [of] : []);
        if (statements.some((one) => one.includes('into audit_record'))) await client.query(countRecords);
        await client.query(isKept ? 'commit' : 'set constraints all immediate');
      } finally {
        await client.query('rollback');
        client.release();
      }
    },
    close: () => Promise.all([owner.close(), ...[...pools.values()].map((one) => one.end())]),
  };
}
