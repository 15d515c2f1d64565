import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batch, oneBatch, oneRecord, platformRecord, record, set, step, transfer } from '../../test/forged-rows.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { workOnTask } from '../market/work-on-task.ts';
import type { TestDomain } from '../testing/index.ts';
import { placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { roleName } from './role-grants.ts';

// What someone can do who has the connection of one role: with the one for reads nothing that counts, with the one for
// the ledger nothing that leaves no audit record.

let stolen: StolenRoles;
let owner: TestDomain;
let merchantId: string;
beforeAll(async () => {
  stolen = await openStolenRoles();
  ({ owner, merchantId } = stolen);
});
afterAll(() => stolen.close());

const attack: StolenRoles['attack'] = (...args) => stolen.attack(...args);

/** Tables that decide who may do what, where money goes, and what counts as proved. */
const deciding = [
  'merchant',
  'merchant_key',
  'fee_rule',
  'scheduled_fee_rule',
  'route',
  'channel',
  'bank_mapping',
  'channel_credential',
  'configuration_change',
  'merchant_service_key',
  'public_key_owner',
  'operator',
  'approval',
  'withheld_money',
  'audit_finding',
  'payout_stop',
  'environment',
  'settlement_cycle',
  'settlement_account',
  'settlement_file',
  'settlement_run',
  'reconciled_channel',
  'reconciliation_break',
  'reconciliation_day',
  'matched_line',
  'matched_expectation',
  'data_export',
  'note',
  'assignment',
  'statement_fetch',
];

/** What remains: when a key or a session was used last, and tries at an invitation. */
const harmless = ['merchant_key.last_used_at'];

test.each(['rest', 'api'] as const)('the role %s of ordinary reads can write no configuration', async (role) => {
  const { rows } = await owner.domain.database.pool.query<{ name: string }>(
    `select distinct t || coalesce('.' || a.attname, '') as name
     from unnest($1::text[]) t cross join unnest(array['insert', 'update', 'delete']) p
     left join pg_attribute a on a.attrelid = to_regclass(t) and a.attnum > 0 and not a.attisdropped and p <> 'delete'
     where case when p = 'delete' then has_table_privilege($2, t, p) else has_column_privilege($2, to_regclass(t), a.attnum, p) end`,
    [deciding, roleName(role)],
  );
  expect(rows.map(({ name }) => name).filter((name) => !harmless.includes(name))).toEqual([]);
});

test('the role of the API for reads cannot make itself a session, a token or a statement', async () => {
  for (const statement of [
    `insert into operator_session (session_hash, operator_id, expires_at) values ('x', 'ann', now())`,
    `insert into operator_token (token_hash, operator_id) values ('x', 'ann')`,
    'update operator_token set expires_at = null',
    'update operator_session set expires_at = now()',
    `update statement_file set channel_id = 'fake'`,
    `insert into statement_file (merchant_id, name, uploaded_by, state) values ('PLATFORM-IN', 'x', 'x', 'received')`,
  ])
    await expect(attack('api', [statement]), statement).rejects.toThrow('permission denied');
});

test('the worker records no decision of the API', async () => {
  for (const action of ['bookWallet', 'approveSettlement', 'addMerchantKey'])
    await expect(attack('worker_ledger', [record(action, 'x')()]), action).rejects.toThrow('never records');
});

test('a settlement beyond its draft was taken from its wallet', async () => {
  const accountId = randomUUID();
  await owner.domain.database.pool.query(
    `insert into settlement_account (merchant_id, account_id, sealed, ending) values ($1, $2, '\\x01', '1')`,
    [merchantId, accountId],
  );
  const settle = `insert into settlement (merchant_id, seq, settlement_no, state, currency, version, run_day, cut_off, opening, sums, closing,
      pending, keep, amount, settled_before, settled_days, scan_after, after_entry_no, through_entry_no, pending_after, account_id, drafted_at)
    select merchant_id, 1, 'STFRGD000001', 'draft', currency, 1, '2026-11-20', '2026-11-19', available, '[]', available,
      0, 0, 1.00, '{}', '{}', 0, 0, 0, 0, '${accountId}', now() from wallet where merchant_id = $1`;
  for (const role of ['worker_ledger', 'api_ledger'] as const) {
    await attack(role, [settle]);
    const approve = `update settlement set state = 'approved', approved_at = now() where settlement_no = 'STFRGD000001'`;
    const decided = record('approveSettlement', 'STFRGD000001')();
    await expect(attack(role, [settle, approve]), role).rejects.toThrow('nobody decided');
    if (role === 'api_ledger')
      await expect(attack(role, [settle, approve, decided]), role).rejects.toThrow('its wallet has not paid it');
    const ofHand = settle.replace('STFRGD000001', 'BY-HAND-1');
    await expect(attack(role, [ofHand]), role).rejects.toThrow('settlement_settlement_no_check');
  }
});

test('each step of a settlement has its decision', async () => {
  const { pool } = owner.domain.database;
  await pool.query(
    `insert into settlement (merchant_id, seq, settlement_no, state, currency, version, run_day, cut_off, opening, sums, closing,
       pending, keep, amount, settled_before, settled_days, scan_after, after_entry_no, through_entry_no, pending_after, account_id, drafted_at, approved_at)
     select s.merchant_id, 2, 'STFRGD000002', 'approved', w.currency, 1, '2026-11-20', '2026-11-19', w.available, '[]', w.available,
       0, 0, 1.00, '{}', '{}', 0, 0, 0, 0, s.account_id, now(), now()
     from settlement_account s join wallet w using (merchant_id) where s.merchant_id = $1 limit 1`,
    [merchantId],
  );
  const of = `where settlement_no = 'STFRGD000002'`;
  for (const role of ['worker_ledger', 'api_ledger'] as const)
    for (const step of [
      `state = 'paid', paid_at = now(), channel_id = 'fake', payment_no = 'P-1', next_action = 'send', next_action_at = now()`,
      `state = 'confirmed', confirmed_at = now()`,
    ])
      await expect(attack(role, [`update settlement set ${step} ${of}`]), `${role} ${step}`).rejects.toThrow(
        'nobody decided',
      );
});

test('credentials do not follow a channel to another host', async () => {
  const left = async (change: string): Promise<number | null> => {
    const client = await stolen.pool('api_ledger').connect();
    try {
      await client.query('begin');
      await client.query(change);
      return (await client.query(`select name from channel_credential where channel_id = 'fake'`)).rowCount;
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  expect(await left(`update channel set base_url = base_url || '/v2' where channel_id = 'fake'`)).toBe(1);
  expect(await left(`update channel set base_url = 'https://eve.test' where channel_id = 'fake'`)).toBe(0);
  expect(await left(`update channel set adapter = 'opn' where channel_id = 'fake'`)).toBe(0);
});

test('what only triggers write, and secrets of other processes, are out of reach of each role for the ledger', async () => {
  for (const [role, statement] of [
    ['api_ledger', `insert into configuration_version values ('PLATFORM', 9223372036854775807, 999999)`],
    ['api_ledger', `update configuration_change set xid = '1'`],
    ['api_ledger', `insert into public_key_owner values ('k', 'X')`],
    ['rest_ledger', 'select private_key from merchant_service_key'],
    [
      'worker_ledger',
      `insert into reconciled_channel (merchant_id, channel_id, begins_on, tolerance) values ('PLATFORM-IN', 'fake', '2020-01-01', 9)`,
    ],
  ] as const)
    await expect(attack(role, [statement]), statement).rejects.toThrow('permission denied');
});

test('what an operator moved on a day only grows', async () => {
  await owner.domain.database.pool.query(`insert into operator_day values ('ann', '2026-11-20', 'INR', 500)`);
  await attack('api_ledger', ['update operator_day set amount = 600']);
  for (const change of ['amount = 0', `day = '2026-11-19'`, `operator_id = 'bob'`])
    await expect(attack('api_ledger', [`update operator_day set ${change}`]), change).rejects.toThrow('only grows');
});

test('a statement is confirmed with its record, also before it is imported', async () => {
  const upload = `insert into statement_file (merchant_id, name, channel_id, uploaded_by, state) values ('PLATFORM-IN', 'x', 'fake', 'eve', 'uploading')`;
  await attack('api_ledger', [upload]);
  const confirm = `update statement_file set confirmed_by = 'bob', confirmed_at = now() where uploaded_by = 'eve'`;
  await expect(attack('api_ledger', [upload, confirm])).rejects.toThrow('record');
});

test('an invitation that has ended stays ended, and its tries are counted on', async () => {
  const { pool } = owner.domain.database;
  await pool.query(`insert into operator_invitation (invitation_id, operator_id, code_hash, wrong_tries, expires_at, ended_at)
    values ('i1', 'ann', repeat('a', 64), 6, now() + interval '1 h', now())`);
  await expect(attack('api', ['update operator_invitation set ended_at = null'])).rejects.toThrow('it ends once');
  await expect(attack('api', ['update operator_invitation set wrong_tries = 0'])).rejects.toThrow('only grow');
});

test('what a notification says cannot be changed, so a signature is of what was due', async () => {
  for (const role of ['worker', 'worker_ledger', 'api_ledger'] as const)
    for (const column of ['body', 'url', 'host'])
      await expect(attack(role, [`update notification set ${column} = 'x'`]), role).rejects.toThrow(
        'permission denied',
      );
});

test('rows that no wallet counts, and numbers without rows, are refused', async () => {
  for (const role of ['rest_ledger', 'worker_ledger', 'api_ledger'] as const)
    await expect(attack(role, [batch()]), role).rejects.toThrow('its wallet does not count it');
  // Neither a batch of its own nor a wallet that counts the batch makes room for an entry that the wallet does not count.
  const copyOf = (table: string, column: string, add: number): string =>
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('${column}', w.last_${column} + ${add}, 'order_no', null,
      'booking_no', 'B${add}', 'batch_no', w.last_batch_no + 1))).* from wallet w join ${table} t on t.merchant_id = w.merchant_id and t.${column} = w.last_${column} where w.merchant_id = $1`;
  const counted = set(oneBatch)();
  for (const [table, column] of [
    ['wallet_entry', 'entry_no'],
    ['transfer', 'transfer_no'],
  ] as const) {
    const row = copyOf(table, column, 1);
    const gap = copyOf(table, column, 2);
    for (const steps of [
      [row],
      [batch(), gap, counted],
      [batch(), counted, row],
      [batch(), row.replace('last_batch_no + 1', 'last_batch_no'), counted],
      [batch(), 'set constraints all immediate', counted, row],
    ])
      await expect(attack('rest_ledger', steps), steps.join('; ')).rejects.toThrow('its wallet does not count it');
    await expect(attack('rest_ledger', [batch(), row, counted])).rejects.toThrow(
      'does not count its last entry or transfer',
    );
  }
  await expect(attack('rest_ledger', [set('last_case_no = last_case_no + 1')()])).rejects.toThrow(
    'cases that are not there',
  );
  const ahead = set('last_audit_no = last_audit_no + 3')();
  await expect(attack('api_ledger', [ahead])).rejects.toThrow('records that are not there');
  // It reads none.
  await expect(attack('rest_ledger', [ahead])).rejects.toThrow('permission denied');
});

test('no process makes a payout that froze nothing, and only the REST adapter makes orders', async () => {
  const payout = await placePayout(owner.domain, merchantId, 'IN');
  const copy = `insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_no', 'POFORGED', 'merchant_order_no', 'FORGED',
    'net_amount', o.net_amount))).* from orders o where o.order_no = '${payout.orderNo}'`;
  await expect(attack('rest_ledger', [copy])).rejects.toThrow('its wallet has frozen nothing for it');
  for (const role of ['worker_ledger', 'api_ledger'] as const)
    await expect(attack(role, [copy]), role).rejects.toThrow('permission denied');
});

test('only operators decide to refund', async () => {
  for (const role of ['worker_ledger', 'rest_ledger'] as const)
    await expect(attack(role, ['insert into refund select * from refund']), role).rejects.toThrow('permission denied');
  await expect(attack('rest_ledger', ["update refund set answer = 'failed'"])).rejects.toThrow('permission denied');
});

test('a break posts once, when it ends by a decision, and never by itself', async () => {
  const added = (
    no: number,
    state: string,
  ) => `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, state, decided_at, closed_at)
    values ('${merchantId}', ${no}, 'fake', '2026-11-20', 'line 1/1/${no}', 'amount', 5, '${state}', ${state === 'open' ? 'null, null' : 'now(), now()'})`;
  await owner.domain.database.pool.query(added(801, 'posted'));
  const post = (action: string, no: number) => [
    batch(),
    transfer({ debit: "'channel:fake'", credit: "'external'", cause: "'reconciliation'", amount: '5' })(),
    record(action, `break ${no}`)(),
    set(`last_transfer_no = last_transfer_no + 1, ${oneBatch}, ${oneRecord}`)(),
  ];
  for (const [role, action] of [
    ['worker_ledger', 'proveSettlement'],
    ['api_ledger', 'resolveBreak'],
  ] as const) {
    const touched = 'update reconciliation_break set day = day where break_no = 801';
    await expect(attack(role, [touched, ...post(action, 801)]), role).rejects.toThrow('have no cause');
  }
  // Invented, and left open.
  await expect(attack('worker_ledger', [added(802, 'open'), ...post('proveSettlement', 802)])).rejects.toThrow(
    'have no cause',
  );
});

test('a notification says what became of its order, to the address of the order', async () => {
  const { orderNo } = await placePayout(owner.domain, merchantId, 'IN');
  const { rows } = await owner.domain.database.pool.query(
    `select notify_url as url, status, json_build_object('orderType', kind, 'orderNo', order_no, 'merchantOrderNo', merchant_order_no,
       'status', status, 'amount', amount::text, 'feeAmount', fee_amount::text, 'netAmount', net_amount::text) as body
     from orders where order_no = $1`,
    [orderNo],
  );
  const [{ url, status, body }] = rows as [{ url: string; status: string; body: object }];
  const notification = (to: string, text: string) =>
    `insert into notification (merchant_id, order_no, status, url, body, next_attempt_at, created_at)
     values ($1, '${orderNo}', '${status}', '${to}', '${text}', now(), now())`;
  const whole = JSON.stringify(body);
  await attack('rest_ledger', [notification(url, whole)]);
  for (const forged of [
    notification('http://eve.test', whole),
    notification(url, '["no object"]'),
    // The last of two equal keys says the truth.
    notification(url, whole.replace('{', '{"status":"completed",')),
    ...Object.keys(body).map((key) => notification(url, JSON.stringify({ ...body, [key]: 'another' }))),
    notification(url, JSON.stringify({ ...body, currency: 'USD' })),
    notification(url, JSON.stringify({ ...body, payUrl: 'http://eve.test' })),
  ])
    await expect(attack('rest_ledger', [forged]), forged).rejects.toThrow('it is not what became of the order');
  // A step that is only noted is no status of the order.
  const noted = [batch(), step(orderNo, { to: "'completed'" }), set(oneBatch)()];
  const completed = notification(url, JSON.stringify({ ...body, status: 'completed' })).replace(
    `'${status}', '`,
    `'completed', '`,
  );
  await attack('rest_ledger', noted);
  await expect(attack('rest_ledger', [...noted, completed])).rejects.toThrow('it is not what became of the order');
});

test('a letter that is another one in another script makes another host of a channel', async () => {
  const { rows } = await owner.domain.database.pool.query(
    "select host_of('https://openapi.al\u0130pay.com/x') = host_of('https://OpenAPI.alipay.com/y') as same",
  );
  expect(rows).toEqual([{ same: false }]);
});

test('a batch names no more rows than a transaction writes', async () => {
  const many = `insert into ledger_batch select merchant_id, last_batch_no + 1, now(), array_fill('e:1:9'::text, array[20001]), repeat('0', 64) from wallet where merchant_id = $1`;
  await expect(attack('rest_ledger', [many])).rejects.toThrow('ledger_batch_rows_check');
});

test('a payin that goes on is not notified as failed', async () => {
  const payin = await placePayin(owner.domain, merchantId, 'IN');
  const { orderNo, merchantOrderNo, kind, amount, feeAmount, netAmount, notifyUrl } = payin;
  const body = { orderType: kind, orderNo, merchantOrderNo, status: 'failed', amount, feeAmount, netAmount };
  const failed = `insert into notification (merchant_id, order_no, status, url, body, next_attempt_at, created_at)
     values ($1, '${orderNo}', 'failed', '${notifyUrl}', '${JSON.stringify(body)}', now(), now())`;
  const steps = [step(orderNo, { to: "'failed'" }), step(orderNo, { to: "'completed'" })];
  const batched = [batch(), ...steps, set(oneBatch)()];
  await attack('rest_ledger', batched);
  await expect(attack('rest_ledger', [...batched, failed])).rejects.toThrow('it is not what became of the order');
});

test.each(['https:/eve.test/api.good.test', 'https:/\\eve.test/x', 'https://good.test\\@eve.test', 'ftp://good.test'])(
  'a channel has no address %s',
  async (address) => {
    const change = `update channel set base_url = '${address}'`;
    await expect(attack('api_ledger', [change, platformRecord('setChannel')])).rejects.toThrow(
      'channel_base_url_check',
    );
  },
);

test('the reference of a late proof belongs to an operator who had the task, and a stranger takes none', async () => {
  const { domain } = owner;
  const { merchantId: market } = await aFundedMerchant(domain, 'PK', '1000.00', 'market');
  const payout = await placePayout(domain, market, 'PK', { mode: 'market' });
  expect(await workOnTask(domain, payout, { type: 'claimTask' }, by('ann'))).toMatchObject({ ok: true });
  const taken = async (actor: string): Promise<number | null> => {
    const client = await stolen.pool('api_ledger').connect();
    try {
      await client.query('begin');
      await client.query(batch(), [market]);
      await client.query(
        `insert into audit_record (merchant_id, audit_no, actor, action, subject, reason, detail, at, batch_no)
         select merchant_id, last_audit_no + 1, $2, 'proveTask', $3, 'x', '{"proof": {"reference": "R-77"}}', now(), last_batch_no + 1
         from wallet where merchant_id = $1`,
        [market, actor, payout.orderNo],
      );
      return (await client.query(`select from proof_reference where order_no = $1`, [payout.orderNo])).rowCount;
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  expect(await taken('eve')).toBe(0);
  expect(await taken('ann')).toBe(1);
});

test.each(['rest_ledger', 'worker_ledger', 'api_ledger'] as const)(
  '%s neither takes nor frees the bank reference of a proof by hand',
  async (role) => {
    for (const change of [
      "insert into proof_reference values ('PK', 'TAKEN', 'PK-X', 'PI1')",
      "update proof_reference set owner = 'NOBODY'",
      "select take_reference('PK', 'TAKEN', 'PK-X', 'PI1')",
    ])
      await expect(attack(role, [change]), change).rejects.toThrow('permission denied for table proof_reference');
  },
);

test('what an owner may write hides no order beside it that begins wrongly', async () => {
  const payout = await placePayout(owner.domain, merchantId, 'IN');
  const copy = (no: string, more: string) =>
    `select (jsonb_populate_record(o, jsonb_build_object('order_no', '${no}', 'merchant_order_no', '${no}', 'batch_no', o.batch_no ${more}))).*
     from orders o where o.order_no = '${payout.orderNo}'`;
  const wrong = ", 'status', 'completed', 'completed_at', now(), 'next_action', null, 'next_action_at', null";
  for (const both of [
    [copy('POA', ''), copy('POB', wrong)],
    [copy('POB', wrong), copy('POA', '')],
  ])
    await expect(owner.domain.database.pool.query(`insert into orders ${both.join(' union all ')}`)).rejects.toThrow(
      'begins as completed',
    );
});
