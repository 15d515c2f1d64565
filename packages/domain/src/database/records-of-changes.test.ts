import { afterAll, beforeAll, expect, test } from 'vitest';
import { platformRecord, record, set } from '../../test/forged-rows.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { configurationActions } from '../core/configuration-actions.ts';
import { recordedTables } from './migrations/baseline/records.ts';
import { ledgerRoles, tableGrants } from './role-grants.ts';

// Each change of the configuration has its audit record in the same transaction: of the same subject, with an action
// that makes such a change.

let stolen: StolenRoles;
beforeAll(async () => {
  stolen = await openStolenRoles();
  const { pool } = stolen.owner.domain.database;
  const { merchantId } = stolen;
  for (const statement of [
    `insert into operator (operator_id, name, roles) values ('bob', 'Bob', '{viewer}')`,
    `insert into merchant_key (merchant_id, key_id, public_key_pem, expires_at) values ($1, 'ended', 'x', now())`,
    `insert into settlement_cycle (merchant_id, working_days, weekdays, minimum, keep, begins_on) values ($1, 1, '{mon}', 0, 0, '2026-11-20')`,
  ])
    await pool.query(statement, statement.includes('$1') ? [merchantId] : []);
});
afterAll(() => stolen.close());

const withoutRecord = 'without its audit record';
const attack = (statements: readonly string[], isKept = false) => stolen.attack('api_ledger', statements, isKept);

const account = `insert into settlement_account (merchant_id, account_id, sealed, ending) values ($1, 'acc-1', '\\x01', '1')`;
const serviceKey = `insert into merchant_service_key (merchant_id, key_id, public_key_pem, private_key, retires_at) values ($1, 'own', 'x', '\\x01', now())`;
const session = `insert into operator_session (session_hash, operator_id, external_id, expires_at) values (repeat('a', 64), 'ann', 'x', now())`;
const ofSession = { after: { sessionId: 'a'.repeat(12) } };
const token = `insert into operator_token (token_hash, operator_id) values (repeat('b', 64), 'ann')`;
const ofToken = { after: { tokenId: 'b'.repeat(12) } };
const invitation = `insert into operator_invitation (invitation_id, operator_id, code_hash, expires_at) values ('i9', 'ann', repeat('c', 64), now() + interval '1 h')`;
const ofInvitation = { after: { fingerprint: 'c'.repeat(64) } };
const key = `insert into merchant_key (merchant_id, key_id, public_key_pem) values ($1, 'forged', 'x')`;
const live = `update channel set declared_mode = 'live', declared_by = 'ann', declared_at = now(), declared_evidence = 'evidence'`;

type Case = [what: string, change: string, covers: () => string, others: readonly (() => string)[]];
const cases: Case[] = [
  [
    'a new key',
    key,
    record('addMerchantKey', 'forged'),
    [record('retireMerchantKey', 'forged'), record('addMerchantKey', 'another'), record('addNote', 'forged')],
  ],
  [
    'the end of a key',
    `update merchant_key set expires_at = null where key_id = 'ended' and merchant_id = $1`,
    record('addMerchantKey', 'ended'),
    [record('addMerchantKey', 'another')],
  ],
  [
    'a fee of nothing',
    `update fee_rule set percent = 0 where merchant_id = $1 and kind = 'payin'`,
    record('setFeeRule', 'fee payin'),
    [record('setFeeRule', 'fee payout'), record('removeFeeRule', 'fee payin')],
  ],
  [
    'the address of a merchant',
    `update merchant set default_notify_url = 'http://eve.test' where merchant_id = $1`,
    () => record('setMerchant', stolen.merchantId)(),
    [record('setMerchant', 'another'), () => record('pauseNotifications', stolen.merchantId)()],
  ],
  [
    'a bank account',
    account,
    record('setSettlementCycle', 'settlement cycle', { after: { accountId: 'acc-1' } }),
    [
      record('createSettlementFile', 'x', { after: { accountId: 'acc-1' } }),
      record('setSettlementCycle', 'settlement cycle', { after: { accountId: 'acc-2' } }),
    ],
  ],
  [
    'a cycle',
    `update settlement_cycle set keep = 5 where merchant_id = $1`,
    record('setSettlementCycle', 'settlement cycle'),
    [record('createSettlementFile', 'settlement cycle'), record('removeSettlementCycle', 'settlement cycle')],
  ],
  [
    'a key of the service',
    serviceKey,
    record('rotateServiceKey', 'own'),
    [record('rotateServiceKey', 'another'), record('addNote', 'own')],
  ],
  [
    'the roles of an operator',
    `update operator set roles = '{admin}' where operator_id = 'bob'`,
    () => platformRecord('changeOperator', 'bob'),
    [() => platformRecord('changeOperator', 'ann'), () => platformRecord('setOperatorEnabled', 'bob')],
  ],
  [
    'an operator',
    `insert into operator (operator_id, name, roles) values ('eve', 'Eve', '{admin}')`,
    () => platformRecord('createOperator', 'eve'),
    [() => platformRecord('setOperatorEnabled', 'bob'), () => platformRecord('changeOperator', 'eve')],
  ],
  [
    'who lost an identity',
    `update operator set enabled = false where operator_id = 'bob'`,
    () => platformRecord('linkIdentity', 'ann', { before: { disabled: ['bob'] } }),
    [() => platformRecord('linkIdentity', 'bob'), () => platformRecord('linkIdentity', 'ann')],
  ],
  [
    'a token',
    token,
    () => platformRecord('redeemInvitation', 'ann', ofToken),
    [() => platformRecord('redeemInvitation', 'bob', ofToken), () => platformRecord('redeemInvitation', 'ann')],
  ],
  [
    'an invitation',
    invitation,
    () => platformRecord('inviteOperator', 'ann', ofInvitation),
    [() => platformRecord('inviteOperator', 'bob', ofInvitation), () => platformRecord('inviteOperator', 'ann')],
  ],
  [
    'a session',
    session,
    () => platformRecord('signIn', 'ann', ofSession),
    [() => platformRecord('signIn', 'bob', ofSession), () => platformRecord('signIn', 'ann')],
  ],
  [
    'whether a channel is used',
    `update channel set enabled = not enabled where channel_id = 'fake'`,
    () => platformRecord('setChannelEnabled', 'fake'),
    [() => platformRecord('setChannelEnabled', 'another'), () => platformRecord('withdrawDeclaration', 'fake')],
  ],
  [
    'what is declared of a channel',
    `${live} where channel_id = 'fake'`,
    () => platformRecord('setChannel', 'fake'),
    [() => platformRecord('changeSecret', 'fake'), () => platformRecord('setChannelEnabled', 'fake')],
  ],
  [
    'credentials',
    `delete from channel_credential where channel_id = 'fake'`,
    () => platformRecord('setChannel', 'fake'),
    [() => platformRecord('setChannel', 'another')],
  ],
];

test.each(cases)('%s changes with a record of this subject and action only', async (_, change, covers, others) => {
  await attack([change, covers()]);
  await expect(attack([change])).rejects.toThrow(withoutRecord);
  for (const other of others) await expect(attack([change, other()]), other()).rejects.toThrow(withoutRecord);
});

test('a record of an earlier transaction is of none that follows', async () => {
  await attack([record('addMerchantKey', 'forged')()], true);
  await expect(attack([key])).rejects.toThrow(withoutRecord);
});

test('a template in a value is only text', async () => {
  const named = key.replace('forged', '{merchant_id}');
  await attack([named, record('addMerchantKey', '{merchant_id}')()]);
  await expect(attack([named, record('addMerchantKey', stolen.merchantId)()])).rejects.toThrow(withoutRecord);
});

test('what is withheld is released by a record of its amount, never less, and the wallet says the same', async () => {
  const { merchantId, owner } = stolen;
  const hold = `insert into withheld_money (merchant_id, channel_id, amount) values ($1, 'fake', 5)`;
  const inWallet = set('withheld = 5')();
  const withdrawn = (withheld: string, who = merchantId) =>
    platformRecord('withdrawDeclaration', 'fake', { after: { withheld: [{ merchantId: who, withheld }] } });
  await expect(attack([hold, withdrawn('5.00')])).rejects.toThrow('another amount');
  await expect(attack([hold, inWallet])).rejects.toThrow(withoutRecord);
  await expect(attack([hold, inWallet, withdrawn('4.00')])).rejects.toThrow(withoutRecord);
  await expect(attack([hold, inWallet, withdrawn('5.00', 'ANOTHER')])).rejects.toThrow(withoutRecord);
  await attack([hold, inWallet, withdrawn('5.00')]);
  const client = await owner.domain.database.pool.connect();
  await client.query('begin');
  await client.query(hold, [merchantId]);
  await client.query(inWallet, [merchantId]);
  await client.query('commit');
  client.release();
  for (const role of ledgerRoles)
    await expect(stolen.attack(role, [set('withheld = 0')()]), role).rejects.toThrow('another amount');
  const less = ['update withheld_money set amount = 0', set('withheld = 0')(), withdrawn('0.00')];
  await expect(attack(less)).rejects.toThrow('it is only released');
  const by = (amount: number) => `update withheld_money set released = released + ${amount} where merchant_id = $1`;
  const released = (amount: string, left: string, subject = 'withheld fake') =>
    record('releaseWithheld', subject, { after: { channelId: 'fake', released: amount, withheld: left } })();
  const none = set('withheld = 0')();
  await expect(attack([by(5), none])).rejects.toThrow(withoutRecord);
  await expect(attack([by(5), none, released('0.01', '4.99')])).rejects.toThrow(withoutRecord);
  await expect(attack([by(5), none, released('5.00', '0.00', 'withheld another')])).rejects.toThrow(withoutRecord);
  await expect(attack([by(5), none, withdrawn('0.00')])).rejects.toThrow(withoutRecord);
  // One record is of one release.
  await expect(attack([by(2), by(2), set('withheld = 1')(), released('2.00', '1.00')])).rejects.toThrow(withoutRecord);
  await attack([by(5), none, released('5.00', '0.00')]);
});

test('every action that changes configuration is of a table, and every one of a table is recorded', () => {
  const named = recordedTables.flatMap(({ insert = [], update = [], delete: removed = [] }) =>
    [insert, update, removed].flatMap((one) => (one === 'free' ? [] : one.map(({ action }) => action))),
  );
  // By the owner of the tables, as commands of the admin image.
  const ofOwner = ['createFirstOperator', 'changeSecret'];
  expect(configurationActions.filter((action) => !named.includes(action) && !ofOwner.includes(action))).toEqual([]);
  const decisions = [
    'createSettlementFile',
    'finishSettlementFile',
    'downloadSettlementFile',
    'proveSettlement',
    'signIn',
    'closeFinding',
    'releasePayouts',
    'setReconciliation',
    'closeDay',
    'reopenDay',
    'resolveBreak',
    'importStatement',
    'confirmStatement',
  ];
  const others = [...new Set(named)].filter((action) => !configurationActions.some((one) => one === action));
  expect(others.sort()).toEqual(decisions.sort());
});

/** Written by the ledger writer, checked with its wallet, or nothing that decides about money or rights. */
const withoutRecords = [
  'approval',
  'assignment',
  'attached_file',
  'audit_record',
  'channel_call',
  'channel_memory',
  'channel_question',
  'configuration_change',
  'configuration_version',
  'data_export',
  'data_export_chunk',
  'expectation_progress',
  'file_content',
  'ledger_batch',
  'matched_expectation',
  'matched_line',
  'money_case',
  'note',
  'notification',
  'notification_resend',
  'operator_day',
  'operator_preferences',
  'order_transition',
  'orders',
  'payment',
  'public_key_owner',
  'refund',
  'saved_view',
  'settlement',
  'settlement_run',
  'statement_chunk',
  'statement_fetch',
  'transfer',
  'wallet',
  'wallet_entry',
  'withheld_money',
];

test('every table that the API may change needs records, or is known to need none', () => {
  const written = Object.entries(tableGrants)
    .filter(([, grants]) => /[iud]/.test(grants.api_ledger ?? grants.api ?? ''))
    .map(([table]) => table);
  const recorded = recordedTables.map(({ table }) => table);
  expect(written.filter((table) => !recorded.includes(table) && !withoutRecords.includes(table))).toEqual([]);
  expect(recorded.filter((table) => withoutRecords.includes(table))).toEqual([]);
});

test('the rules name columns that are there', async () => {
  const { rows } = await stolen.owner.domain.database.pool.query<{ table: string; column: string }>(
    `select relname as table, attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = current_schema()::regnamespace and a.attnum > 0`,
  );
  const there = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  const named = recordedTables.flatMap(({ table, tenant, free = [], when: _, ...rules }) => {
    const templates = [...JSON.stringify(rules).matchAll(/\{(\w+)(?::\d+)?\}/g)].map(([, column]) => column);
    const columns = JSON.parse(JSON.stringify(rules).replaceAll('"free"', '[]')) as Record<
      string,
      { columns?: string[] }[]
    >;
    const listed = Object.values(columns).flatMap((one) =>
      Array.isArray(one) ? one.flatMap((r) => r.columns ?? []) : [],
    );
    return [...templates, ...listed, ...free, ...(tenant === 'platform' ? [] : [tenant])].map(
      (one) => `${table}.${one}`,
    );
  });
  expect(named.filter((one) => !there.has(one))).toEqual([]);
});
