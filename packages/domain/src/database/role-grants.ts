import type pg from 'pg';

/**
 * The rights of each service on each table, for installations in which every service has its own PostgreSQL role
 * (docs/running/database-roles.md). The owner, which runs `migrate`, has all rights. `migrate` applies this table to
 * the existing roles. A new table needs a line here.
 *
 * r reads, i inserts, u updates, d deletes. Brackets after a letter limit it to these columns. Grant only what the
 * service's code does. `writes` is for the three services that send commands to the ledger writer.
 */
export const serviceRoles = ['rest', 'api', 'worker', 'audit'] as const;
export type ServiceRole = (typeof serviceRoles)[number];
type Grants = Partial<Record<ServiceRole, string>>;

const writes = (verbs: string, more: Grants = {}): Grants => ({
  rest: verbs,
  api: verbs,
  worker: verbs,
  audit: 'r',
  ...more,
});
const reads = (more: Grants = {}): Grants => ({ rest: 'r', api: 'r', worker: 'r', ...more });
const orderChanges =
  'status, paid_amount, channel_id, channel_bank_code, channel_ref, pay_link, pay_qr, task, failure_reason, contradiction, next_action, next_action_at, attempt, updated_at, completed_at, command_id';
const refundChanges =
  'state, refund_ref, answer, next_action, next_action_at, attempt, sends, transfer_no, updated_at, ended_at, command_id';

export const tableGrants: Readonly<Record<string, Grants>> = {
  // The configuration.
  merchant: reads({ api: 'r i u', audit: 'r' }),
  merchant_key: reads({ rest: 'r u(last_used_at)', api: 'r i u', audit: 'r' }),
  fee_rule: reads({ api: 'r i u d' }),
  scheduled_fee_rule: reads({ api: 'r i u d' }),
  route: reads({ api: 'r i u d' }),
  channel: reads({ api: 'r i u' }),
  bank_mapping: reads({ api: 'r i u d' }),
  channel_memory: { rest: 'r i', api: 'r i', worker: 'r i d' },
  configuration_change: reads({ api: 'r i u' }),
  // The REST adapter publishes keys and signs nothing, so it reads no private key.
  service_key: reads({ rest: 'r(key_id, public_key_pem, created_at, retires_at)', api: 'r i u' }),
  merchant_service_key: reads({ rest: 'r(merchant_id, key_id, public_key_pem, retires_at)', api: 'r i u' }),
  public_key_owner: { api: 'r i', audit: 'r' },
  // Operators. Only the API authenticates them.
  operator: { api: 'r i u' },
  operator_token: { api: 'r i u' },
  operator_invitation: { api: 'r i u' },
  operator_session: { api: 'r i u d' },
  operator_day: { api: 'r i u' },
  saved_view: { api: 'r i u d' },
  operator_preferences: { api: 'r i u' },
  approval: { api: 'r i u' },
  notification_resend: { api: 'r i' },
  // Orders and the ledger. The immutable columns of orders are never updated.
  orders: writes(`r i u(${orderChanges})`),
  order_transition: writes('r i'),
  payment: writes('r i'),
  wallet: writes('r u', { api: 'r i u' }),
  wallet_entry: writes('r i'),
  transfer: writes('r i'),
  money_case: writes('r i u(state, closed_at, refund_no)'),
  refund: writes(`r i u(${refundChanges})`),
  ledger_batch: writes('r i'),
  audit_record: { api: 'r i', worker: 'r i', audit: 'r' },
  // Written by a trigger of audit_record.
  configuration_version: { api: 'r i', audit: 'r' },
  // Work of operators. A row is deleted only when an assignment is released.
  note: { api: 'r i' },
  assignment: { api: 'r i u d' },
  attached_file: { api: 'r i' },
  file_content: { api: 'r i' },
  country: reads(),
  transition_rule: reads(),
  // Written by triggers of orders and audit_record.
  proof_reference: {
    rest: 'r i u(owner, order_no)',
    api: 'r i u(owner, order_no)',
    worker: 'r i u(owner, order_no)',
  },
  // Notifications and logs.
  notification: { rest: 'r i', api: 'r i u', worker: 'r i u d', audit: 'r' },
  notification_attempt: { api: 'r', worker: 'r i d' },
  channel_call: { rest: 'i', api: 'r i', worker: 'r i d' },
  retention: { api: 'r', worker: 'r u', audit: 'r' },
  restored_period: { worker: 'r' },
  // Roll-ups.
  order_figures_by_quarter: { api: 'r', worker: 'r i u' },
  order_figures_by_hour: { api: 'r', worker: 'r i u' },
  order_figures_by_day: { api: 'r', worker: 'r i u' },
  order_figures_progress: { api: 'r', worker: 'r u' },
  // The search rows of orders, which are derived from the orders.
  order_search: { api: 'r', worker: 'r i' },
  order_search_progress: { api: 'r', worker: 'r u' },
  // Ended orders that are queried a few more times.
  order_watch: { worker: 'r i u d' },
  order_watch_progress: { worker: 'r u' },
  order_facets_by_quarter: { api: 'r', worker: 'r i u' },
  order_facets_by_hour: { api: 'r', worker: 'r i u' },
  order_facets_by_day: { api: 'r', worker: 'r i u' },
  order_facets_progress: { api: 'r', worker: 'r u' },
  wallet_entry_sum: { api: 'r', worker: 'r i' },
  channel_health: { api: 'r', worker: 'r i u d' },
  host_health: { api: 'r', worker: 'r i u d' },
  log_progress: { api: 'r', worker: 'r u' },
  account_total: { api: 'r', worker: 'r i u' },
  account_total_progress: { api: 'r', worker: 'r i u' },
  // The audit's tables. No other service writes them. Operators close findings.
  audit_run: { api: 'r', worker: 'r', audit: 'r u' },
  audit_checkpoint: { audit: 'r i u' },
  audit_finding: { api: 'r u(state, closed_at)', worker: 'r', audit: 'r i u(last_found_at, detail)' },
  ledger_chain: { audit: 'r u(sealed_at)' },
  ledger_seal: { audit: 'r i' },
  // Only the audit signs. Who changes the secret seals its keys again, as the owner.
  seal_key: { audit: 'r i' },
  period_seal: { api: 'r', worker: 'r', audit: 'r i u(filed_at, verified_at)' },
  period_walk: { audit: 'r i u' },
  // Reconciliation. The worker fetches, imports and matches, operators upload and decide.
  reconciled_channel: { api: 'r i u', worker: 'r i' },
  statement_file: { api: 'r i u d', worker: 'r i u d' },
  statement_chunk: { api: 'r i d', worker: 'r i d' },
  statement_fetch: { api: 'r i u', worker: 'r i u' },
  statement_line: { api: 'r', worker: 'r i', audit: 'r' },
  statement_unparsed: { api: 'r', worker: 'r i' },
  statement_expectation: { api: 'r', worker: 'r i' },
  expectation_progress: { api: 'r d', worker: 'r i u d' },
  matched_line: { api: 'r i', worker: 'r i', audit: 'r' },
  superseded_line: { api: 'r', worker: 'r i' },
  matched_expectation: { api: 'r i', worker: 'r i' },
  reconciliation_break: { api: 'r u', worker: 'r i u', audit: 'r' },
  reconciliation_day: { api: 'r u', worker: 'r i u' },
  // Exports. Operators request and download them, the worker writes and purges them.
  data_export: { api: 'r i u', worker: 'r u d' },
  data_export_chunk: { api: 'r d', worker: 'r i d' },
  // Settlement. Operators set cycles, draft and decide. The worker drafts by schedule, pays through channels, and confirms and fails what statements prove.
  settlement_cycle: { api: 'r i u d', worker: 'r' },
  settlement_run: { api: 'r d', worker: 'r i u' },
  // The worker opens the account that a channel pays, and compares the end of another one.
  settlement_account: { api: 'r i u', worker: 'r' },
  settlement_file: { api: 'r i u', worker: 'r u(debit_line)', audit: 'r' },
  settlement: { rest: 'r', api: 'r i u', worker: 'r i u', audit: 'r' },
  migration: { rest: 'r', api: 'r', worker: 'r', audit: 'r' },
};

/** Functions that only these services may call. */
const functionGrants: Readonly<Record<string, readonly ServiceRole[]>> = {
  'gather_first_statistics()': ['rest', 'api', 'worker'],
};

export function roleName(service: ServiceRole): string {
  return `tidegate_${service}`;
}

/**
 * Grants the existing roles of services exactly the rights of the table, in one transaction. It can be repeated. Needs
 * no superuser, because the tables' owner may grant. Resolves to the services with roles.
 */
export async function grantToRoles(pool: pg.Pool): Promise<ServiceRole[]> {
  const { rows } = await pool.query<{ name: string }>('select rolname as name from pg_roles where rolname = any($1)', [
    serviceRoles.map(roleName),
  ]);
  const there = serviceRoles.filter((service) => rows.some(({ name }) => name === roleName(service)));
  if (there.length === 0) return [];
  const client = await pool.connect();
  try {
    await client.query(`begin; ${there.flatMap(statementsFor).join('; ')}; commit`);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
  return there;
}

function statementsFor(service: ServiceRole): string[] {
  const role = roleName(service);
  const granted = Object.entries(tableGrants).flatMap(([table, grants]) => {
    const verbs = verbsOf(grants[service] ?? '');
    // First revokes what an earlier version granted. Tables of a later version are not touched.
    return [
      `revoke all on ${table} from ${role}`,
      ...(verbs.length > 0 ? [`grant ${verbs.join(', ')} on ${table} to ${role}`] : []),
    ];
  });
  const callable = Object.entries(functionGrants).map(([name, services]) =>
    services.includes(service)
      ? `grant execute on function ${name} to ${role}`
      : `revoke execute on function ${name} from ${role}`,
  );
  return [`grant usage on schema public to ${role}`, ...granted, ...callable];
}

const verbNames: Record<string, string> = { r: 'select', i: 'insert', u: 'update', d: 'delete' };

/** `r u(a, b)` → `select`, `update (a, b)`. */
function verbsOf(text: string): string[] {
  return [...text.matchAll(/([riud])(\([^)]*\))?/g)].map(
    ([, verb = '', columns]) => `${verbNames[verb]}${columns ? ` ${columns}` : ''}`,
  );
}
