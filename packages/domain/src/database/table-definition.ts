import type pg from 'pg';

/** Everything that belongs to a table except its columns, as statements that create it again under the same names. */
export interface TableDefinition {
  owner: string;
  /** Storage parameters such as `fillfactor=80`. */
  options: string[];
  /** Keys, uniques, checks and foreign keys. */
  constraints: string[];
  indexes: string[];
  triggers: string[];
  /** Triggers that run once per statement. Partitions do not inherit them. */
  statementTriggers: string[];
  /** For triggers that are not enabled in the usual way, e.g. `enable always`. Partitions take it from their table. */
  triggerStates: string[];
  grants: string[];
  /** Foreign keys of other tables to this one. */
  pointingHere: { drop: string; add: string }[];
}

/** Reads the definition from PostgreSQL's catalogue, because migrations may have added to it. */
export async function readDefinition(client: pg.ClientBase, table: string): Promise<TableDefinition> {
  const { rows } = await client.query<{ definition: TableDefinition }>(definitionSql, [table]);
  if (!rows[0]) throw new Error(`there is no table ${table}`);
  return rows[0].definition;
}

const list = (what: string, from: string, order: string): string =>
  `(select coalesce(json_agg(${what} order by ${order}), '[]') from ${from})`;
const addConstraint = (table: string): string =>
  `format('alter table %s add constraint %I %s', ${table}::regclass, k.conname, pg_get_constraintdef(k.oid))`;

// Not-null constraints (n) belong to the columns, those of triggers (t) to the triggers, and the indexes of constraints to their constraints. Keys and indexes
// keep their order of creation, because the planner chooses by it between plans of equal cost.
const definitionSql = `select json_build_object(
  'owner', quote_ident(pg_get_userbyid(t.relowner)),
  'options', coalesce(to_json(t.reloptions), '[]'),
  'constraints', ${list(addConstraint('t.oid'), "pg_constraint k where k.conrelid = t.oid and k.contype not in ('n', 't') and k.conparentid = 0", "k.contype = 'f', k.oid")},
  'indexes', ${list('pg_get_indexdef(i.indexrelid)', 'pg_index i where i.indrelid = t.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = t.oid)', 'i.indexrelid')},
  'triggers', ${list('pg_get_triggerdef(g.oid)', 'pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal', 'g.tgname')},
  'statementTriggers', ${list('pg_get_triggerdef(g.oid)', 'pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal and g.tgtype & 1 = 0', 'g.tgname')},
  'triggerStates', ${list("format('alter table %s %s trigger %I', t.oid::regclass, case g.tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, g.tgname)", "pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal and g.tgenabled <> 'O'", 'g.tgname')},
  'grants', ${list("format('grant %s on %s to %s', a.privilege_type, t.oid::regclass, case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)", 'aclexplode(t.relacl) a where a.grantee <> t.relowner', 'a.grantee, a.privilege_type')},
  'pointingHere', ${list(`json_build_object('drop', format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname), 'add', ${addConstraint('k.conrelid')})`, 'pg_constraint k where k.confrelid = t.oid and k.conrelid <> t.oid and k.conparentid = 0', 'k.conname')}
) as definition from pg_class t where t.oid = to_regclass($1)`;
