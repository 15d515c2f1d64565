import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type Approval, problemOfApproval } from '../core/approval.ts';
import type { Announce } from '../core/change.ts';
import type { BookWallet, RecordChange } from '../core/commands.ts';
import { configurationActions } from '../core/configuration-actions.ts';
import { decide } from '../core/decide.ts';
import { type Effect, effectOf, problemOfEffect } from '../core/effect.ts';
import type { LedgerEvent } from '../core/events.ts';
import { type Decision, newVersion } from '../core/operator.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import type { TimeScale } from '../core/schedule.ts';
import type { SettlementCommand } from '../core/settlement.ts';
import { stateOf } from '../core/state.ts';
import type { Wallet } from '../core/wallet.ts';
import { orderRules } from '../countries/index.ts';
import { boundsOfHolding } from '../database/begin.ts';
import { isCancelled, isConnectionLoss, isLockTimeout, isTimeout } from '../database/connection-loss.ts';
import { followChanges } from '../database/entity-changes.ts';
import { inTransaction } from '../database/transaction.ts';
import { openUnitOfWork } from '../database/unit-of-work.ts';
import type { Vault, VaultAccess } from '../database/vault.ts';
import { runWithin } from './batch.ts';
import { MerchantHeld } from './held-merchants.ts';
import type { LedgerReadAccess } from './ledger-access.ts';
import { chainRows, rowsOf } from './records/index.ts';
import { asReal, type RehearsedChange } from './rehearse.ts';
import { configurationVersionsStatement } from './versions/queries.ts';

/** The tenant whose audit records have what belongs to no merchant: operators, channels, bank mappings. */
export const platformTenant = 'PLATFORM';

/** Everything that a change of the configuration needs. */
export interface ChangeAccess extends LedgerReadAccess, VaultAccess, TimeScale {
  announce: Announce;
  /** Receives what a rehearsal would record. */
  rehearsed?(change: RehearsedChange): void;
}

/** Target of a change: the domain, or one transaction of `changeConfiguration`. */
export interface ChangeTransaction {
  database: {
    pool: Queries;
    /**
     * For reading and changing entities. Within `changeConfiguration` it is one for the whole change. Each function
     * flushes its changes.
     */
    unitOfWork(): EntityManager;
  };
  vault: Vault;
}

interface Queries {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>>;
}

/** What a change writes in the wallets of merchants. */
type JoinedCommand = SettlementCommand | BookWallet;

/**
 * Writes the commands of the change. Returns the refusal if one of them is refused; then the whole change is
 * refused. A rehearsal writes them too, and is rolled back: so its effect has what they do.
 */
async function settleWithin(
  domain: ChangeAccess,
  client: PoolClient,
  commands: readonly JoinedCommand[],
): Promise<Outcome<readonly LedgerEvent[]>> {
  if (commands.length === 0) return { ok: true, value: [] };
  const { scheduleScale, sql } = domain;
  const done = await runWithin(client, sql, commands.map(asReal), { scheduleScale, rules: orderRules });
  return typeof done === 'string' ? { ok: false, rejection: done } : { ok: true, value: done.events };
}

/** The change, for the audit record (never a secret), and the caller's result. */
export interface Changed<T> {
  /** The subject: a key, a route, an operator. */
  subject: string;
  /** The entity that was changed. What it was and is comes from its change sets. */
  entity?: object;
  /** The recorded fields; left out: all but its key and secrets. */
  fields?: readonly string[];
  /** It did not exist before. Default: the entity was created. */
  isNew?: boolean;
  /** Additional data of the record. */
  before?: object | null;
  after?: object | null;
  /** Transfers of the reconciliation, written in the same transaction. */
  postings?: RecordChange['postings'];
  /**
   * Commands in the same transaction: all of them take effect or none. Their merchants are in
   * `alsoHeld`.
   */
  commands?: readonly JoinedCommand[];
  /** The version of what is changed, where it is not the number of its last change: then the change compares it itself. */
  version?: string;
  /** What it lets another process do later, in the sentences of an effect. Left out: nothing. */
  lets?: Effect;
  value: T;
}

/** The tenant that records a change, and its name. `subject`: the subject of the record, where it is known before. */
interface Named {
  tenant: string;
  change: string;
  subject?: string | undefined;
  /** Other merchants whose rows it writes. All wallets are locked at once, in the order of the ledger writer. */
  alsoHeld?: readonly string[];
}

/**
 * Changes the configuration, and records who did so, why, and the previous values, in one transaction. `tenant` is the
 * merchant, or `platformTenant`, which records it. Changes of one tenant run one after the other. A
 * refusal of `apply` and a rehearsal change and record nothing. An approval in `by` is consumed in the same transaction:
 * approval_decided, approval_expired. So is its `expectedVersion` checked: version_outdated. With `subject` it is
 * checked before the change, so that an old view is refused whatever the change would come to. `apply` is called again if its transaction was lost
 * before the commit, so it changes nothing but the database.
 */
export async function changeConfiguration<T>(
  domain: ChangeAccess,
  named: Named,
  by: Decision,
  apply: (within: ChangeTransaction) => Promise<Outcome<Changed<T>>>,
): Promise<Outcome<T>> {
  for (let tries = 1; ; tries++) {
    const done = await changeOnce(domain, named, by, apply, tries < MOST_TRIES);
    if (done !== 'undone') return done;
  }
}

/**
 * The server ends a session that is silent within a transaction for 750 ms (`begin.ts`). A busy process is silent for so long now and then, and
 * then nothing was changed.
 */
const MOST_TRIES = 3;

/**
 * `undone`: the connection was lost before the commit was sent, so nothing was changed. If it may not be `undone`, that is an error. So is a statement
 * that was not answered in time: the next one would not be answered either.
 */
async function changeOnce<T>(
  domain: ChangeAccess,
  named: Named,
  by: Decision,
  apply: (within: ChangeTransaction) => Promise<Outcome<Changed<T>>>,
  mayBeUndone: boolean,
): Promise<Outcome<T> | 'undone'> {
  const { tenant } = named;
  let isOver = false;
  const isKept = (done: Outcome<T>) => done.ok && by.rehearsal !== true;
  const keeps = (done: Outcome<T>) => {
    isOver = true;
    return isKept(done);
  };
  try {
    const work = (client: PoolClient) => changeWithin(domain, client, named, by, apply);
    const done = await inTransaction(domain.database.ledgerPool, work, { begin: `begin; ${bounds}`, keeps });
    const { approvalId } = by;
    if (isKept(done) && approvalId !== undefined)
      domain.announce([{ type: 'approval', merchantId: tenant, approvalId, state: 'executed' }]);
    return done;
  } catch (error) {
    if (isConnectionLoss(error) && !isTimeout(error) && !isOver && mayBeUndone) return 'undone';
    if (isLockTimeout(error) || isCancelled(error))
      throw new MerchantHeld('another session has locked these rows', { cause: error });
    throw error;
  }
}

/** People wait for a change: as long as the connection allows. Then no request waits for the tenant's wallet or holds it. */
const bounds = boundsOfHolding({ lockMs: null });
/**
 * How long a change waits for the wallets of several merchants together, in ms. `lock_timeout` limits each lock alone,
 * and the first wallets are held while it waits for the last.
 */
const severalMs = 2_000;

async function changeWithin<T>(
  domain: ChangeAccess,
  client: PoolClient,
  { tenant, change, subject: named, alsoHeld = [] }: Named,
  by: Decision,
  apply: (within: ChangeTransaction) => Promise<Outcome<Changed<T>>>,
): Promise<Outcome<T>> {
  const locked = await lock(domain, client, tenant, alsoHeld);
  const approval = await approvalOf(domain, client, tenant, by);
  const unapproved = by.approvalId !== undefined && locked && problemOfApproval(approval, locked.now);
  if (unapproved) return { ok: false, rejection: unapproved };
  const seen = named === undefined ? undefined : by.expectedVersion;
  if (named !== undefined && seen !== undefined && seen !== (await versionOf(client, tenant, named)))
    return { ok: false, rejection: 'version_outdated' };
  const em = openUnitOfWork(domain.database.orm, client);
  const changeOf = followChanges(em);
  const applied = await apply({ database: { pool: client, unitOfWork: () => em }, vault: domain.vault });
  if (!applied.ok) return applied;
  // A merchant that was just created has its wallet only now.
  const { now, ...wallet } = locked ?? (await lock(domain, client, tenant)) ?? missing(tenant);
  const { value, subject, entity, fields, postings, commands = [], lets = [], version, ...changes } = applied.value;
  const recorded = entity && changeOf(entity, fields);
  const isNew = changes.isNew ?? recorded?.before === null;
  if (!(await isAsExpected(client, { tenant, subject, isNew }, by.expectedVersion))) {
    const detail = by.expectedVersion === newVersion && { detail: 'it already exists' };
    return { ok: false, rejection: 'version_outdated', ...detail };
  }
  const versionNow = by.rehearsal
    ? (version ?? (await versionBefore(client, { tenant, subject, isNew }, change)))
    : null;
  const before = merged(recorded?.before, changes.before);
  const after = merged(recorded?.after, changes.after);
  const { scheduleScale } = domain;
  const context = { now, scheduleScale, rules: orderRules };
  const decided = decide(
    stateOf(wallet, { approval }),
    { type: 'recordChange', merchantId: tenant, change, subject, before, after, postings, by },
    context,
  );
  if (typeof decided === 'string') return { ok: false, rejection: decided } satisfies Refused;
  const rows = rowsOf(decided.events);
  const wallets = new Map([[tenant, decided.state.wallet]]);
  const chained = chainRows(wallets, [], rows);
  await client.query(domain.sql.insertBatches.text, domain.sql.insertBatches.valuesOf(chained));
  const posted = rows.transfers.added;
  if (posted.length > 0)
    await client.query(domain.sql.insertTransfers.text, domain.sql.insertTransfers.valuesOf(posted));
  await client.query(domain.sql.insertAudits.text, domain.sql.insertAudits.valuesOf(rows.audits.added));
  await client.query(domain.sql.updateWallets.text, domain.sql.updateWallets.valuesOf([...wallets.values()]));
  const approvals = rows.approvals.changed;
  if (approvals.length > 0)
    await client.query(domain.sql.updateApprovals.text, domain.sql.updateApprovals.valuesOf(approvals));
  const settled = await settleWithin(domain, client, commands);
  if (!settled.ok) return settled;
  const effect = [...effectOf({ events: [...decided.events, ...settled.value], state: decided.state }), ...lets];
  const effectChanged = problemOfEffect(approval, effect);
  if (effectChanged) return { ok: false, rejection: effectChanged };
  if (by.rehearsal) domain.rehearsed?.({ before: before ?? null, after: after ?? null, effect, version: versionNow });
  return { ok: true, value };
}

/** The recorded changes of the entity, and the additional data; undefined: the record has no such part. */
function merged(recorded: object | null | undefined, changes: object | null | undefined): object | null | undefined {
  return recorded && changes ? { ...recorded, ...changes } : changes === undefined ? recorded : changes;
}

/** Every writer of a tenant holds its wallet's row, as in the ledger writer. */
async function lock(
  domain: LedgerReadAccess,
  client: PoolClient,
  tenant: string,
  others: readonly string[] = [],
): Promise<(Wallet & { now: number }) | null> {
  const merchants = [...new Set([tenant, ...others])].sort();
  if (merchants.length > 1) await client.query(`set local statement_timeout = ${severalMs}`);
  const { rows } = await client.query<Wallet & { now: number }>(domain.sql.lockWallets.text, [merchants]);
  if (merchants.length > 1) await client.query('set local statement_timeout to default');
  return rows.find(({ merchantId }) => merchantId === tenant) ?? null;
}

async function approvalOf(
  domain: LedgerReadAccess,
  client: PoolClient,
  tenant: string,
  { approvalId }: Decision,
): Promise<Approval | null> {
  if (approvalId === undefined) return null;
  const { rows } = await client.query<Approval>(domain.sql.approvalsById.text, [[tenant], [approvalId]]);
  return rows[0] ?? null;
}

/** Whether the subject still has the version that the operator saw. A removed subject counts as new. */
async function isAsExpected(
  client: PoolClient,
  { tenant, subject, isNew }: { tenant: string; subject: string; isNew: boolean },
  expected: string | undefined,
): Promise<boolean> {
  if (expected === undefined) return true;
  return expected === newVersion ? isNew : expected === (await versionOf(client, tenant, subject));
}

/** The number of the last change of the subject. Under the lock of the tenant no other change can be made. */
async function versionOf(client: PoolClient, tenant: string, subject: string): Promise<string> {
  const { rows } = await client.query<{ version: string }>(configurationVersionsStatement.text, [[tenant], [subject]]);
  return rows[0]?.version ?? '0';
}

/** What `expectedVersion` has to be for a change of the configuration that is not written yet; null: the action is none. */
async function versionBefore(
  client: PoolClient,
  { tenant, subject, isNew }: { tenant: string; subject: string; isNew: boolean },
  action: string,
): Promise<string | null> {
  if (!configurationActions.some((one) => one === action)) return null;
  const version = await versionOf(client, tenant, subject);
  // What was removed has the version of its removal.
  return isNew && version === '0' ? newVersion : version;
}

function missing(tenant: string): never {
  throw new Error(`there is no tenant ${tenant}`);
}
