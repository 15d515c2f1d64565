import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerOf, urlOf } from '../../test/service-roles.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { rollUpAccounts } from '../ledger/roll-up-accounts.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { openTestDomain } from '../testing/index.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { takeMigrationLock } from './migrate-database.ts';
import { type DatabaseRole, databaseRoles } from './role-grants.ts';
import { exclusiveWork, holdWorkSql, runExclusively } from './run-exclusively.ts';

// What a stolen connection cannot forge: sums of accounts, statements and their days, and files; and whom it cannot
// keep from their work.

let stolen: StolenRoles;
const tenant = 'PLATFORM-IN';
const sql = (text: string) => stolen.owner.domain.database.pool.query(text);
beforeAll(async () => {
  stolen = await openStolenRoles();
  await rollUpAccounts(stolen.owner.domain);
  await sql(`insert into reconciliation_day (merchant_id, channel_id, day) values ('${tenant}', 'fake', '2026-11-20')`);
  await sql(`insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
    values ('${tenant}', 1, 'fake', '2026-11-20', 'line 1/1/0', 'missing_in_ledger', 5)`);
});
afterAll(() => stolen.close());

const denied = 'permission denied';

test('no role writes the totals of accounts, and the worker has them added up', async () => {
  for (const role of databaseRoles)
    for (const statement of [
      'update account_total set debited = 0',
      'update account_total_progress set transfer_no = 9000000000000000000',
      `insert into account_total_progress (merchant_id, transfer_no, moved_at) values ('X', 1, now())`,
    ])
      await expect(stolen.attack(role, [statement]), `${role}: ${statement}`).rejects.toThrow(denied);
  for (const role of ['rest', 'api', 'rest_ledger', 'api_ledger', 'audit'] as const)
    await expect(stolen.attack(role, ['select roll_up_accounts(1, 1)']), role).rejects.toThrow(denied);
  await stolen.attack('worker', ['select roll_up_accounts(1, 1)']);
});

test('no call of the function counts a transfer twice', async () => {
  const { domain } = stolen.owner;
  const totals = async () =>
    (await sql('select account, debited::text, credited::text from account_total order by merchant_id, account')).rows;
  await rollUpAccounts(domain);
  const before = await totals();
  await domain.commit(aTopUp(stolen.merchantId, 'T-7', '7.00'));
  for (const [merchants, transfers] of [
    [100, -1],
    [100, -2_147_483_648],
  ] as const)
    await expect(
      stolen.attack('worker', [`select roll_up_accounts(${merchants}, ${transfers})`], true),
    ).rejects.toThrow('counted once');
  expect(await totals()).toEqual(before);
});

test('totals are added up once, also while another session does it', async () => {
  const { domain } = stolen.owner;
  const other = await stolen.pool('worker').connect();
  try {
    await other.query('begin');
    await other.query(holdWorkSql, ['accounts']);
    expect(await rollUpAccounts(domain)).toBe(false);
  } finally {
    await other.query('rollback');
    other.release();
  }
});

test('a day is closed and a break is decided by operators only', async () => {
  const close = `update reconciliation_day set state = 'closed', closed_by = 'ann', approver = 'bob', closed_at = now()`;
  for (const role of ['worker', 'worker_ledger', 'api', 'rest'] as const) {
    await expect(stolen.attack(role, [close]), role).rejects.toThrow(denied);
    await expect(
      stolen.attack(role, [
        `insert into reconciliation_day (merchant_id, channel_id, day, state) values ('${tenant}', 'fake', '2026-11-21', 'closed')`,
      ]),
      role,
    ).rejects.toThrow(denied);
  }
  await expect(stolen.attack('api_ledger', [close])).rejects.toThrow('without its audit record');
  for (const state of ['posted', 'written_off', 'posting'])
    for (const role of ['worker_ledger', 'api_ledger'] as const)
      await expect(
        stolen.attack(role, [
          `update reconciliation_break set state = '${state}', closed_at = ${state === 'posting' ? 'null' : 'now()'}`,
        ]),
        `${role} ${state}`,
      ).rejects.toThrow('without its audit record');
  await stolen.attack('worker_ledger', [`update reconciliation_break set state = 'matched', closed_at = now()`]);
});

test('what people decided about a break, a day or a statement changes with a record of it only', async () => {
  await sql(`insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, state, decided_by, approver, decided_at,
      closed_at, account, written_off, reason)
    values ('${tenant}', 2, 'fake', '2026-11-20', 'line 1/2/0', 'missing_in_ledger', -5, 'written_off', 'ann', 'bob', now(), now(), 'x', 5, 'lost')`);
  const roles = ['worker_ledger', 'api_ledger'] as const;
  for (const change of [
    "state = 'open', closed_at = null",
    "state = 'matched'",
    'amount = 1',
    "decided_by = 'eve'",
    'approver = null',
    'decided_at = null',
    "account = 'fee_revenue'",
    'written_off = 0',
    "owner_id = 'IN-1'",
    "reason = 'won'",
    "day = '2026-11-21'",
  ])
    for (const role of roles)
      await expect(
        stolen.attack(role, [`update reconciliation_break set ${change} where break_no = 2`]),
        `${role} ${change}`,
      ).rejects.toThrow('without its audit record');
  // Of an open one the matching says what it is about, and nothing else.
  for (const change of ["account = 'fee_revenue'", 'written_off = 5', "decided_by = 'bob'", "subject = 'line 1/3/0'"])
    await expect(
      stolen.attack('worker_ledger', [`update reconciliation_break set ${change} where break_no = 1`]),
      change,
    ).rejects.toThrow('without its audit record');
  await stolen.attack('worker_ledger', ["update reconciliation_break set amount = 6, names = 'x' where break_no = 1"]);
  for (const change of ["closed_by = 'eve'", "approver = 'eve'", "reopened_by = 'eve'", "day = '2026-11-21'"])
    await expect(stolen.attack('api_ledger', [`update reconciliation_day set ${change}`]), change).rejects.toThrow(
      'without its audit record',
    );
  await sql(`insert into statement_file (merchant_id, name, uploaded_by) values ('${tenant}', 'x', 'ann')`);
  for (const change of ["confirmed_by = 'bob', confirmed_at = now()", "imported_by = '{eve}'"])
    for (const role of roles)
      await expect(stolen.attack(role, [`update statement_file set ${change}`]), `${role} ${change}`).rejects.toThrow(
        'without its audit record',
      );
});

test('no role takes a number far ahead, which would be the last one for good', async () => {
  const last = '9223372036854775807';
  const far = {
    reconciliation_break: `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
      values ('${tenant}', ${last}, 'fake', '2026-11-20', 'line 9/1/0', 'missing_in_ledger', 5)`,
    matched_line: `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule) values ('${tenant}', 1, 1, 0, ${last}, 'x')`,
    matched_expectation: `insert into matched_expectation (merchant_id, transfer_no, tenant, match_no) values ('IN-1', 1, '${tenant}', ${last})`,
  };
  for (const [table, statement] of Object.entries(far))
    await expect(stolen.attack('worker_ledger', [statement]), table).rejects.toThrow('does not follow the one before');
  const given = `insert into statement_file (merchant_id, file_no, name, uploaded_by) overriding system value values ('${tenant}', 1000, 'x', 'ann')`;
  for (const role of ['worker_ledger', 'api_ledger'] as const)
    await expect(stolen.attack(role, [given]), role).rejects.toThrow(denied);
});

test('the role of the worker for reads writes nothing of what statements show and of what differs', async () => {
  for (const [table, column] of [
    ['reconciliation_break', 'names'],
    ['reconciliation_break', 'amount'],
    ['reconciliation_break', 'decided_at'],
    ['reconciliation_break', 'credited_id'],
    ['reconciliation_day', 'is_covered'],
    ['statement_balance', 'is_current'],
    ['statement_file', 'state'],
    ['statement_file', 'covered_until'],
    ['statement_fetch', 'day'],
  ])
    await expect(stolen.attack('worker', [`update ${table} set ${column} = null`]), column).rejects.toThrow(denied);
  for (const table of [
    'reconciliation_break',
    'reconciled_channel',
    'statement_expectation',
    'matched_line',
    'matched_expectation',
    'superseded_line',
  ])
    await expect(stolen.attack('worker', [`insert into ${table} select * from ${table}`]), table).rejects.toThrow(
      denied,
    );
});

test('the connections of the API for reads begin no upload in the name of an operator', async () => {
  const upload = `insert into statement_file (merchant_id, name, uploaded_by) values ('${tenant}', 'x', 'bob')`;
  for (const role of ['api', 'worker', 'rest'] as const)
    await expect(stolen.attack(role, [upload]), role).rejects.toThrow(denied);
  await stolen.attack('api_ledger', [upload]);
});

test('the connections for reads write no lines of statements, and let none be imported', async () => {
  for (const role of ['worker', 'api', 'rest'] as const)
    for (const statement of [
      'insert into statement_line select * from statement_line',
      'insert into statement_unparsed select * from statement_unparsed',
      `update statement_file set channel_id = 'fake'`,
    ])
      await expect(stolen.attack(role, [statement]), `${role}: ${statement}`).rejects.toThrow(denied);
  for (const statement of [
    `insert into statement_file (merchant_id, name, uploaded_by) values ('${tenant}', 'x', 'x')`,
    `insert into statement_chunk (merchant_id, file_no, chunk_no, content) values ('${tenant}', 1, 0, '\\x01')`,
  ])
    await expect(stolen.attack('worker', [statement]), statement).rejects.toThrow(denied);
});

async function aFile(state: 'uploading' | 'uploaded' | 'received' | 'imported'): Promise<string> {
  const { rows } =
    await sql(`insert into statement_file (merchant_id, name, uploaded_by, state, channel_id, format, sha256, size)
    values ('${tenant}', 'x', 'ann', '${state}', 'fake', 'json-lines', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 3) returning file_no`);
  const no = String(rows[0].file_no);
  await sql(
    `insert into statement_chunk (merchant_id, file_no, chunk_no, content) values ('${tenant}', ${no}, 0, 'abc')`,
  );
  return no;
}

test.each(['received', 'imported', 'uploaded'] as const)(
  'the content of a statement that is %s stays',
  async (state) => {
    const no = await aFile(state);
    const forged = `insert into statement_chunk (merchant_id, file_no, chunk_no, content) values ('${tenant}', ${no}, 1, 'evil')`;
    const attacks: [DatabaseRole, string][] = (['api', 'api_ledger', 'worker_ledger'] as const).flatMap((role) => [
      [role, forged],
      [role, `update statement_file set sha256 = repeat('b', 64) where file_no = ${no}`],
      ...(state === 'uploaded'
        ? []
        : ([[role, `update statement_file set state = 'uploaded' where file_no = ${no}`]] as [DatabaseRole, string][])),
    ]);
    for (const [role, statement] of attacks)
      await expect(stolen.attack(role, [statement]), `${role}: ${statement}`).rejects.toThrow('its content stays');
    await stolen.attack('api', [`select drop_upload('${tenant}', ${no})`], true);
    const { rowCount } = await sql(`select from statement_chunk where file_no = ${no}`);
    expect(rowCount, 'only an upload is dropped').toBe(state === 'uploaded' ? 0 : 1);
  },
);

test('the content of a statement is purged by the worker, and not before its time', async () => {
  const no = await aFile('imported');
  const purge = `select purge_statement_content('${tenant}', ${no})`;
  const left = async () => {
    await stolen.attack('worker', [purge], true);
    return (await sql(`select from statement_chunk where file_no = ${no}`)).rowCount;
  };
  const uploaded = (days: number) =>
    sql(`update statement_file set uploaded_at = now() - interval '${days} days' where file_no = ${no}`);
  for (const role of ['rest', 'api', 'audit', 'rest_ledger', 'api_ledger', 'worker_ledger'] as const)
    await expect(stolen.attack(role, [purge]), role).rejects.toThrow(denied);
  for (const days of [0, 30]) {
    await uploaded(days);
    for (const role of ['worker_ledger', 'api_ledger'] as const)
      await expect(
        stolen.attack(role, [`update statement_file set content_deleted_at = now() where file_no = ${no}`]),
        `${role} after ${days} days`,
      ).rejects.toThrow('its content stays');
    expect(await left(), `after ${days} days`).toBe(1);
  }
  for (const statement of [
    `update statement_file set content_deleted_at = now() where file_no = ${no}`,
    `delete from statement_chunk where file_no = ${no}`,
  ])
    await expect(stolen.attack('worker', [statement]), statement).rejects.toThrow(denied);
  await uploaded(32);
  expect(await left()).toBe(0);
});

test('the content of a file of operators is what its hash says', async () => {
  const [content, hash] = ['proof', createHash('sha256').update('proof').digest('hex')];
  const insert = (of: string, bytes: string) =>
    `insert into file_content (merchant_id, sha256, content) values ($1, '${of}', '${bytes}')`;
  await stolen.attack('api', [insert(hash, content)]);
  await expect(stolen.attack('api', [insert(hash, 'forged')])).rejects.toThrow('file_content_hash_check');
});

test('only workers can take the work of workers, whatever locks others hold', async () => {
  const { rows } = await sql('select name from exclusive_work order by name');
  expect(rows.map(({ name }) => name)).toEqual(exclusiveWork.toSorted());
  for (const role of ['rest', 'api', 'audit', 'rest_ledger', 'api_ledger'] as const)
    for (const statement of ['select from exclusive_work for update', 'lock table exclusive_work in access share mode'])
      await expect(stolen.attack(role, [statement]), `${role}: ${statement}`).rejects.toThrow(denied);
  for (const statement of [`update exclusive_work set name = 'x'`, 'delete from exclusive_work'])
    await expect(stolen.attack('worker', [statement]), statement).rejects.toThrow(/append-only|permission denied/);
  const thief = await stolen.pool('rest').connect();
  try {
    await thief.query('select pg_advisory_lock(720140930 + i) from generate_series(1, 30) i');
    for (const one of exclusiveWork)
      expect(await runExclusively(stolen.owner.domain, one, async () => true), one).toBe(true);
  } finally {
    thief.release(true);
  }
});

test('a migration waits for another one, and not for a lock that a stolen role holds', async () => {
  const { pool } = stolen.owner.domain.database;
  const thief = await stolen.pool('rest').connect();
  const [first, second] = [await pool.connect(), await pool.connect()];
  const reports: string[] = [];
  try {
    await thief.query('select pg_advisory_lock(720140931)');
    await takeMigrationLock(first, 1_000, (line) => reports.push(line));
    expect(reports).toEqual([expect.stringContaining('The role tidegate_rest holds the lock of migrations')]);
    await expect(takeMigrationLock(second, 10)).rejects.toThrow('another migration has been running');
  } finally {
    for (const one of [thief, first, second]) one.release(true);
  }
});

test('a worker is asked to cancel an order by the connections that decide only', async () => {
  const cancel = `insert into channel_question (merchant_id, question_id, order_no, channel_id, operation) values ($1, gen_random_uuid(), 'x', 'fake', 'cancel')`;
  for (const role of ['rest', 'api', 'worker', 'audit', 'rest_ledger', 'worker_ledger'] as const)
    await expect(stolen.attack(role, [cancel]), role).rejects.toThrow(denied);
  await stolen.attack('api_ledger', [cancel]);
});

test('no transfer is left out of what statements have to show, and the worker still goes on', async () => {
  const { merchantId, owner } = stolen;
  const { domain } = owner;
  await sql(
    `insert into reconciled_channel (merchant_id, channel_id, begins_on) values ('${tenant}', 'fake', '2026-01-01')`,
  );
  const payin = await placePayin(domain, merchantId, 'IN');
  await domain.commit(aReport(payin, paid()));
  const done = (transferNo: string) => `insert into expectation_progress (merchant_id, transfer_no, moved_at)
    select merchant_id, ${transferNo}, now() from wallet where merchant_id = $1
    on conflict (merchant_id) do update set transfer_no = excluded.transfer_no`;
  const again = `delete from expectation_progress where merchant_id = $1`;
  await expect(stolen.attack('worker_ledger', [done('last_transfer_no')])).rejects.toThrow('not all transfers of fake');
  await expect(stolen.attack('worker_ledger', [done('9000000000000000')])).rejects.toThrow('there is no transfer');
  const worker = await openTestDomain(urlOf(stolen.url, 'worker'), {
    hasChannel: true,
    ...ledgerOf(stolen.url, 'worker'),
  });
  try {
    while ((await reconcile(worker.domain)) !== 'nothing');
    await domain.commit(aReport(await placePayin(domain, merchantId, 'IN'), paid()));
    for (const attempt of [[done('last_transfer_no')], [again, done('last_transfer_no')]])
      await expect(stolen.attack('worker_ledger', attempt)).rejects.toThrow('not all transfers of fake');
    while ((await reconcile(worker.domain)) !== 'nothing');
    const { rows } =
      await sql(`select p.transfer_no = w.last_transfer_no as done from wallet w join expectation_progress p using (merchant_id)
      where w.merchant_id = '${merchantId}'`);
    expect(rows).toEqual([{ done: true }]);
    // From its beginning, as after a change of where the reconciliation begins.
    await stolen.attack('worker_ledger', [again, done('last_transfer_no')]);
  } finally {
    await worker.close();
  }
});

test('a domain with the role of the worker still does all of its exclusive work', async () => {
  const worker = await openTestDomain(urlOf(stolen.url, 'worker'), {
    hasChannel: true,
    ...ledgerOf(stolen.url, 'worker'),
  });
  try {
    for (const one of exclusiveWork) expect(await runExclusively(worker.domain, one, async () => true), one).toBe(true);
    expect(await rollUpAccounts(worker.domain)).toBe(false);
  } finally {
    await worker.close();
  }
});
