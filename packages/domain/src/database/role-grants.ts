import type pg from 'pg';
import { caseChanges, refundChanges } from './entities/ledger.ts';
import { orderChanges } from './entities/order.ts';
import { inTransaction } from './transaction.ts';

/**
 * The rights of each service on each table, for installations in which every service has its own PostgreSQL role
 * (docs/running/database-roles.md). The owner, which runs `migrate`, has all rights. `migrate` applies this table to
 * the existing roles. A new table needs a line here.
 *
 * r reads, i inserts, u updates, d deletes. Brackets after a letter limit it to these columns. Grant only what the
 * service's code does. Who may delete can lock the table as a whole: if another process needs it, write a function that
 * deletes (`baseline/verbs.ts`).
 *
 * The three services that write the ledger have a second role for it, whose connections only the ledger writer,
 * `changeConfiguration` and the memory of channels use (ADR 0034). It has the rights under its own name. Without a line for it, `api_ledger` and
 * `worker_ledger` have those of their service, because changes of the configuration write other tables too.
 */
export const serviceRoles = ['rest', 'api', 'worker', 'audit'] as const;
export type ServiceRole = (typeof serviceRoles)[number];
export const ledgerRoles = ['rest_ledger', 'api_ledger', 'worker_ledger'] as const;
export type LedgerRole = (typeof ledgerRoles)[number];
export const databaseRoles = [...serviceRoles, ...ledgerRoles];
export type DatabaseRole = ServiceRole | LedgerRole;
type Grants = Partial<Record<DatabaseRole, string>>;

/** Only the ledger writer has these rights. Everyone reads. */
const writes = (verbs: string, more: Grants = {}): Grants => ({
  rest: 'r',
  rest_ledger: verbs,
  api: 'r',
  api_ledger: verbs,
  worker: 'r',
  worker_ledger: verbs,
  audit: 'r',
  ...more,
});
const reads = (more: Grants = {}): Grants => ({ rest: 'r', rest_ledger: 'r', api: 'r', worker: 'r', ...more });
/** Only `changeConfiguration` of the API has these rights. Each such change has its audit record. */
const configured = (verbs: string, more: Grants = {}): Grants => reads({ api_ledger: verbs, ...more });
/** The same of a table that only the API reads. */
const decided = (verbs: string, more: Grants = {}): Grants => ({ api: 'r', api_ledger: verbs, ...more });
/** Only the reconciliation has these rights. */
const matched = (verbs: string, worker = 'r'): Grants => ({ worker, worker_ledger: verbs });
/** The columns of these properties. */
const columnsOf = (properties: readonly string[]): string =>
  properties.map((property) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ');
/** Where its delivery stands. What is sent, and where to, was said when it was due. */
const deliveryChanges = 'state, attempt, next_attempt_at, held_by, delivered_at, earlier_attempts, is_repeat';
const dayKey = 'merchant_id, channel_id, day';
const publishedKeys = 'r(merchant_id, key_id, public_key_pem, retires_at)';
/** What statements and the ledger have of a day. */
const dayFacts = 'is_covered, is_part, is_due, lines, statement_net, expectations, ledger_net, ledger_gross';

export const tableGrants: Readonly<Record<string, Grants>> = {
  // The configuration.
  merchant: configured('r i u', { audit: 'r' }),
  merchant_key: configured('r i u', { rest: 'r u(last_used_at)', audit: 'r' }),
  fee_rule: configured('r i u'),
  scheduled_fee_rule: configured('r i u d'),
  route: configured('r i u d'),
  channel: configured('r i u'),
  bank_mapping: configured('r i u'),
  // One column for each purpose. The API writes them and reads none; the REST adapter reads those of payins and callbacks.
  channel_credential: {
    rest: 'r(channel_id, name, payin, callback)',
    api: 'r(channel_id, name)',
    api_ledger: 'r(channel_id, name) i d',
    worker: 'r',
  },
  // By the connections for reads only queries are asked. That an order is cancelled at its channel is a decision.
  channel_question: {
    rest: 'r i(merchant_id, question_id, order_no, channel_id, channel_ref)',
    api: 'r i(merchant_id, question_id, order_no, channel_id, channel_ref)',
    api_ledger: 'r i',
    // Its role for reads takes a question. What the channel answered is booked, so the other one writes it.
    worker: 'r u(taken_at)',
    worker_ledger: 'r u(answer)',
  },
  // It can end an order or a refund, so who may report those writes it.
  channel_memory: { rest: 'r', rest_ledger: 'r i', api: 'r', api_ledger: 'r i', worker: 'r', worker_ledger: 'r i' },
  // Written by triggers of the configuration.
  configuration_change: configured('r'),
  // The REST adapter publishes keys and signs nothing, so it reads no private key.
  merchant_service_key: configured('r i u', { rest: publishedKeys, rest_ledger: publishedKeys }),
  // Written by a trigger of merchant_key.
  public_key_owner: decided('r', { audit: 'r' }),
  // Operators. Only the API authenticates them.
  operator: decided('r i u'),
  operator_token: decided('r i u', { api: 'r u(last_used_at)' }),
  operator_invitation: decided('r i u', { api: 'r u(wrong_tries, ended_at)' }),
  operator_session: decided('r i u d', { api: 'r u(last_used_at)' }),
  operator_day: { api: 'r', api_ledger: 'r i u' },
  saved_view: { api: 'r i u d' },
  operator_preferences: { api: 'r i u' },
  approval: { api: 'r', api_ledger: 'r i u', worker_ledger: 'r' },
  notification_resend: { api: 'r', api_ledger: 'r i' },
  // Orders and the ledger. The immutable columns of orders are never updated.
  // Only the REST adapter creates orders.
  orders: writes(`r u(${columnsOf(orderChanges)})`, { rest_ledger: `r i u(${columnsOf(orderChanges)})` }),
  order_transition: writes('r i'),
  payment: writes('r i'),
  wallet: writes('r u', { api_ledger: 'r i u' }),
  wallet_entry: writes('r i'),
  money_withholding: configured('r i u'),
  withheld_money: configured('r i u', { audit: 'r' }),
  transfer: writes('r i'),
  money_case: writes(`r i u(${columnsOf(caseChanges)})`),
  // Written by triggers of transfers, cases and orders.
  unexplained_suspense: {},
  // Only operators decide to refund, and no merchant's request changes a refund.
  refund: writes(`r u(${columnsOf(refundChanges)})`, {
    rest_ledger: 'r',
    api_ledger: `r i u(${columnsOf(refundChanges)})`,
  }),
  ledger_batch: writes('r i'),
  audit_record: { api: 'r', api_ledger: 'r i', worker: 'r', worker_ledger: 'r i', audit: 'r' },
  // Written by a trigger of audit_record.
  configuration_version: decided('r', { audit: 'r' }),
  // Work of operators. A row is deleted only when an assignment is released.
  note: decided('r i'),
  assignment: decided('r i u d'),
  attached_file: decided('r i'),
  file_content: { api: 'r i' },
  country: reads(),
  environment: reads({ audit: 'r' }),
  transition_rule: reads(),
  // Written by triggers of orders and audit_record. Searches read it, and the worker's exports.
  proof_reference: decided('r', { worker: 'r' }),
  // Notifications and logs.
  notification: {
    rest: 'r',
    rest_ledger: 'r i',
    api: 'r',
    api_ledger: `r i u(${deliveryChanges})`,
    worker: `r u(${deliveryChanges})`,
    worker_ledger: `r i u(${deliveryChanges})`,
    audit: 'r',
  },
  notification_attempt: { api: 'r', worker: 'r i' },
  channel_call: { rest: 'i', api: 'r i', worker: 'r i' },
  retention: { api: 'r', worker: 'r u', audit: 'r' },
  restored_period: { worker: 'r' },
  // Roll-ups. The ledger writer records nothing before the times that they have passed.
  order_figures_by_quarter: { api: 'r', worker: 'r i u' },
  order_figures_by_hour: { api: 'r', worker: 'r i u' },
  order_figures_by_day: { api: 'r', worker: 'r i u' },
  order_figures_progress: reads({ worker: 'r u' }),
  // The search rows of orders, which are derived from the orders.
  order_search: { api: 'r', worker: 'r i' },
  order_search_progress: reads({ worker: 'r u' }),
  // Ended orders that are queried a few more times.
  order_watch: { worker: 'r i u d' },
  order_watch_progress: reads({ worker: 'r u' }),
  order_facets_by_quarter: { api: 'r', worker: 'r i u' },
  order_facets_by_hour: { api: 'r', worker: 'r i u' },
  order_facets_by_day: { api: 'r', worker: 'r i u' },
  order_facets_progress: reads({ worker: 'r u' }),
  wallet_entry_sum: { api: 'r', worker: 'r i' },
  channel_health: { api: 'r', worker: 'r i u' },
  host_health: { api: 'r', worker: 'r i u' },
  log_progress: { api: 'r', worker: 'r u' },
  // The ledger writer reads here who has money of a channel that is being withheld. Written by `roll_up_accounts`.
  account_total: { rest_ledger: 'r', api: 'r', worker: 'r' },
  account_total_progress: { rest_ledger: 'r', api: 'r', worker: 'r' },
  // The audit's tables. No other service writes them. Findings begin open, and operators close them.
  audit_run: { api: 'r', worker: 'r', audit: 'r u' },
  audit_checkpoint: { audit: 'r i u' },
  audit_finding: decided('r u(state, closed_at)', {
    worker: 'r',
    audit: 'r i(merchant_id, rule, subject, detail) u(last_found_at, detail)',
  }),
  // Written by a trigger of audit_finding. Operators release.
  payout_stop: { rest: 'r', rest_ledger: 'r', api: 'r', api_ledger: 'r u(released_at)', worker: 'r', audit: 'r' },
  // Only the audit signs. Who changes the secret seals its keys again, as the owner.
  seal_key: { audit: 'r i' },
  period_seal: { api: 'r', worker: 'r', audit: 'r i u(filed_at, verified_at)' },
  period_walk: { audit: 'r i u' },
  // Reconciliation. The worker fetches, imports and matches with its role for the ledger, because decisions on money read
  // what comes of it. Operators upload and decide.
  reconciled_channel: decided('r i u', matched('r i(merchant_id, channel_id, begins_on, account) u(account)')),
  // An upload is no statement yet: an operator has it imported. Who uploads is said by the API's role for the ledger.
  statement_file: decided('r i u', { api: 'r u(state, size, sha256)', ...matched('r i u') }),
  statement_chunk: { api: 'r i', ...matched('r i') },
  csv_profile: decided('r i', { worker: 'r' }),
  statement_fetch: decided('r i u', matched('r i u')),
  statement_line: { api: 'r', ...matched('r i'), audit: 'r' },
  statement_unparsed: { api: 'r', ...matched('r i') },
  statement_balance: { api: 'r', ...matched('r i u(is_current)') },
  statement_expectation: { api: 'r', ...matched('r i') },
  expectation_progress: decided('r d', matched('r i u d')),
  matched_line: decided('r i', { ...matched('r i'), audit: 'r' }),
  superseded_line: { api: 'r', ...matched('r i') },
  matched_expectation: decided('r i', matched('r i')),
  reconciliation_break: decided('r u', { ...matched('r i u'), audit: 'r' }),
  // Only operators close and open days.
  reconciliation_day: decided('r u', matched(`r i(${dayKey}, ${dayFacts}) u(${dayFacts})`)),
  // Exports. Operators request and download them, the worker writes and purges them.
  data_export: decided('r i u', { worker: 'r u' }),
  data_export_chunk: { api: 'r', worker: 'r i' },
  // Settlement. Operators set cycles, draft and decide. The worker drafts by schedule, pays through channels, and confirms and fails what statements prove.
  settlement_cycle: decided('r i u d', { worker: 'r' }),
  settlement_run: decided('r d', { worker: 'r i u' }),
  // The worker opens the account that a channel pays, and compares the end of another one.
  settlement_account: decided('r i u', { worker: 'r' }),
  settlement_file: decided('r i u', { worker: 'r', worker_ledger: 'r u(debit_line)', audit: 'r' }),
  settlement: writes('r i u', { rest_ledger: 'r' }),
  migration: { rest: 'r', api: 'r', worker: 'r', audit: 'r' },
  // The right to update is that to lock a row.
  exclusive_work: { worker: 'r u' },
};

/** Functions that only these roles may call. */
const functionGrants: Readonly<Record<string, readonly DatabaseRole[]>> = {
  'gather_first_statistics()': ['rest', 'api', 'worker'],
  'roll_up_accounts(integer, integer)': ['worker'],
  'purge_notification(json)': ['worker'],
  'purge_notification_attempt(json)': ['worker'],
  'purge_channel_call(json)': ['worker'],
  'purge_channel_memory(json)': ['worker'],
  'purge_data_export(json)': ['worker'],
  'purge_statement_content(text, bigint)': ['worker'],
  'purge_channel_health(timestamptz)': ['worker'],
  'purge_host_health(timestamptz, timestamptz, integer)': ['worker'],
  'purge_attached_files(json)': ['api'],
  'purge_file_contents(json)': ['api'],
  'drop_channel_question(text, uuid)': ['rest', 'api'],
  'drop_export_chunks(text, integer)': ['api', 'worker'],
  'drop_upload(text, bigint)': ['api', 'worker_ledger'],
};

export function roleName(role: DatabaseRole): string {
  return `tidegate_${role}`;
}

/** The role that writes the ledger for a service; null if the service never does. */
export function ledgerRoleOf(service: ServiceRole): LedgerRole | null {
  return service === 'audit' ? null : `${service}_ledger`;
}

/**
 * Grants the existing roles of services exactly the rights of the table, in one transaction. As long as a service has
 * no role of its own for the ledger, its role writes the ledger too. It can be repeated. Needs no superuser, because
 * the tables' owner may grant. Resolves to the existing roles.
 */
export async function grantToRoles(pool: pg.Pool): Promise<DatabaseRole[]> {
  const { rows } = await pool.query<{ name: string }>('select rolname as name from pg_roles where rolname = any($1)', [
    databaseRoles.map(roleName),
  ]);
  const there = databaseRoles.filter((role) => rows.some(({ name }) => name === roleName(role)));
  if (there.length === 0) return [];
  await inTransaction(pool, async (client) => {
    const { rows: columns } = await client.query<Columns & { table: string }>(columnsSql, [Object.keys(tableGrants)]);
    const columnsOf = new Map(columns.map(({ table, ...names }) => [table, names]));
    const granted = there.flatMap((role) => statementsFor(role, there, columnsOf));
    const temporary = temporaryTables(usesTemporaryTables.filter((role) => there.includes(role)).slice(0, 1), there);
    await client.query([temporary, ...granted].join('; '));
  });
  return there;
}

/**
 * A temporary table takes the place of a table whose schema a statement does not name. So one role only may create one,
 * and each function of the catalogue names the schema (`temporary-tables.test.ts`). An owner of the tables who does not own the
 * database gets a warning.
 */
const temporaryTables = (to: readonly DatabaseRole[], there: readonly DatabaseRole[]): string =>
  `do $$ begin
    execute format('revoke temporary on database %I from public', current_database());
    ${there
      .filter((role) => !to.includes(role))
      .map((role) => `execute format('revoke temporary on database %I from ${roleName(role)}', current_database());`)
      .join(' ')}
    ${to.map((role) => `execute format('grant temporary on database %I to ${roleName(role)}', current_database());`).join(' ')}
  end $$`;
/** The reconciliation matches in temporary tables: the first of these roles that exists does. */
const usesTemporaryTables = ['worker_ledger', 'worker'] as const;

/** The rights of a role on a table. Of a service without a role for the ledger: of both roles. */
function rightsOf(grants: Grants, role: DatabaseRole, there: readonly DatabaseRole[]): string {
  if (isLedgerRole(role)) return ownRights(grants, role);
  const ledgerRole = ledgerRoleOf(role);
  const own = grants[role] ?? '';
  return ledgerRole === null || there.includes(ledgerRole) ? own : `${own} ${ownRights(grants, ledgerRole)}`;
}

function ownRights(grants: Grants, role: LedgerRole): string {
  return grants[role] ?? (role === 'rest_ledger' ? '' : (grants[role === 'api_ledger' ? 'api' : 'worker'] ?? ''));
}

function isLedgerRole(role: DatabaseRole): role is LedgerRole {
  return ledgerRoles.some((one) => one === role);
}

/** The columns of a table, and those of them that the database numbers itself. */
interface Columns {
  names: string;
  numbered: boolean;
  given: string;
}

const columnsSql = `select t.name as "table", string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names,
    bool_or(a.attidentity <> '') as numbered, string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attidentity = '') as given
  from unnest($1::text[]) as t(name) join pg_attribute a on a.attrelid = to_regclass(t.name)
  where a.attnum > 0 and not a.attisdropped group by t.name`;

function statementsFor(
  role: DatabaseRole,
  there: readonly DatabaseRole[],
  columnsOf: ReadonlyMap<string, Columns>,
): string[] {
  const name = roleName(role);
  const granted = Object.entries(tableGrants).flatMap(([table, grants]) => {
    const verbs = verbsOf(rightsOf(grants, role, there), columnsOf.get(table));
    // First revokes what an earlier version granted. Tables of a later version are not touched.
    return [
      `revoke all on ${table} from ${name}`,
      ...(verbs.length > 0 ? [`grant ${verbs.join(', ')} on ${table} to ${name}`] : []),
    ];
  });
  const ledgerRole = isLedgerRole(role) ? null : ledgerRoleOf(role);
  const callable = Object.entries(functionGrants).map(([called, roles]) =>
    roles.some((one) => one === role || (one === ledgerRole && !there.includes(one)))
      ? `grant execute on function ${called} to ${name}`
      : `revoke execute on function ${called} from ${name}`,
  );
  return [`grant usage on schema public to ${name}`, ...granted, ...callable];
}

const verbNames: Record<string, string> = { r: 'select', i: 'insert', u: 'update', d: 'delete' };

/**
 * `r u(a, b)` → `select`, `update (a, b)`. A whole table is updated by all of its columns: who may update a table as such
 * can also lock it as a whole, and so stop everyone who writes it. Numbers that the database gives are inserted by nobody:
 * one who takes them beforehand would stop everyone else.
 */
function verbsOf(text: string, of: Columns | undefined): string[] {
  const verbs = [...text.matchAll(/([riud])(\([^)]*\))?/g)].map(([, verb = '', some]) => {
    const whole = verb === 'u' ? `(${of?.names})` : verb === 'i' && of?.numbered ? `(${of.given})` : '';
    const columns = some ?? whole;
    return `${verbNames[verb]} ${columns}`.trim();
  });
  return [...new Set(verbs)];
}
