import type { PoolClient } from 'pg';
import type { Violation } from './violation.ts';

/** The part of a finding that may be logged: only ids. */
export interface NewFinding {
  merchantId: string;
  findingNo: number;
  rule: string;
  subject: string;
}

/**
 * Stores violations as findings, one for each merchant, rule and subject. An open finding is only marked as seen
 * again. An accepted one stays closed while it is the same. Returns the new findings. At most a few hundred of one rule
 * are open for a merchant; the rest is found after those are closed.
 */
export async function recordFindings(client: PoolClient, violations: readonly Violation[]): Promise<NewFinding[]> {
  if (violations.length === 0) return [];
  const keyOf = ({ merchantId, rule, subject }: Violation): string => JSON.stringify([merchantId, rule, subject]);
  const once = [...new Map(violations.map((violation) => [keyOf(violation), violation])).values()];
  const { rows } = await client.query<NewFinding & { isNew: boolean }>(recordSql, [JSON.stringify(once)]);
  return rows.filter(({ isNew }) => isNew).map(({ isNew: _, ...finding }) => finding);
}

const same = 'f.merchant_id = v."merchantId" and f.rule = v.rule';

// In PostgreSQL, `xmax` is 0 for a row that was inserted, and set for an existing row that was updated.
const recordSql = `insert into audit_finding as a (merchant_id, rule, subject, detail)
  select v."merchantId", v.rule, v.subject, v.detail from json_to_recordset($1::json) as v("merchantId" text, rule text, subject text, detail text)
  where not exists (select from audit_finding f where ${same} and f.subject = v.subject and f.state = 'accepted' and f.detail = v.detail)
    and (exists (select from audit_finding f where ${same} and f.subject = v.subject and f.state = 'open')
      or (select count(*) from audit_finding f where ${same} and f.state = 'open') < 100)
  on conflict (merchant_id, rule, subject) where state = 'open' do update set last_found_at = clock_timestamp(), detail = excluded.detail
  returning a.merchant_id as "merchantId", a.finding_no::float8 as "findingNo", a.rule, a.subject, a.xmax = 0 as "isNew"`;
