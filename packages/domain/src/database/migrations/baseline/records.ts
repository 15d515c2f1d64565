/** A change that an audit record stands for. */
export interface RecordedChange {
  /** The action of the record. */
  action: string;
  /** How the names of the tenants begin that have such records. Left out: all. */
  tenants?: string;
  /** Its subject; `{column}` is the value of the row. Left out: the action has another subject. */
  subject?: string;
  /** What its detail contains; a text `{column}` is the value of the row, and `{column:12}` its first 12 characters. */
  detail?: object;
  /** The only columns that it changes in an existing row. Left out: all but the key. */
  columns?: readonly string[];
}

type Operation = 'insert' | 'update' | 'delete';
/** `free`: without a record, because other processes or triggers do it. Left out: only the owner does it. */
type Rules = { readonly [op in Operation]?: readonly RecordedChange[] | 'free' };

export interface RecordedTable extends Rules {
  table: string;
  /** Whose record it is. */
  tenant: 'merchant_id' | 'platform';
  /** Columns that need no record. */
  free?: readonly string[];
  /** The changes that need one, as SQL. */
  when?: { readonly [op in Operation]?: string };
}

/** Of tables that other processes write too, only what the API decides: those have the rights to nothing else. */
const notOfWorker = "current_user not in ('tidegate_worker', 'tidegate_worker_ledger', 'tidegate_audit')";

/** Whether a row differs in other columns than these. */
const isOther = (columns: readonly string[]): string => {
  const rest = (row: string): string =>
    `(to_jsonb(${row}) - array[${columns.map((column) => `'${column}'`).join(', ')}]::text[])`;
  return `${rest('new')} is distinct from ${rest('old')}`;
};
/** Whether a row differs in one of these columns. */
const isChanged = (...columns: readonly string[]): string =>
  `(${columns.map((column) => `new.${column}`).join(', ')}) is distinct from (${columns.map((column) => `old.${column}`).join(', ')})`;

/** What statements and the ledger have of a day. */
const dayFacts = [
  'is_covered',
  'is_part',
  'is_due',
  'lines',
  'statement_net',
  'expectations',
  'ledger_net',
  'ledger_gross',
] as const;
/** What the matching finds out about a break. */
const foundOfBreak = [
  'state',
  'kind',
  'amount',
  'owner_id',
  'transfer_no',
  'names',
  'answers',
  'credited_id',
  'credited_transfer_no',
  'since',
  'match_no',
  'reason',
  'closed_at',
] as const;
/** What changes of a break whose line proves a settlement. */
const provenBreak = ['state', 'decided_by', 'approver', 'decided_at', 'closed_at', 'reason', 'account'] as const;

/** As many characters of a hash name a token or a session in records. */
const tokenIdLength = 12;

const ofMerchant = { tenant: 'merchant_id' } as const;
const ofPlatform = { tenant: 'platform' } as const;

const setFeeRule = { action: 'setFeeRule', subject: 'fee {kind} {bank_code}' };
const setRoute = { action: 'setRoute', subject: 'route {route_no}' };
const setChannel = { action: 'setChannel', subject: '{channel_id}' };
const mapBank = { action: 'mapBank', subject: '{channel_id} {kind} {bank_code}' };
const withdrawDeclaration = { action: 'withdrawDeclaration', subject: '{channel_id}' };
const setSettlementCycle = { action: 'setSettlementCycle', subject: 'settlement cycle' };
const ofAccount = { after: { accountId: '{account_id}' } };
const setReconciliation = { action: 'setReconciliation', subject: '{channel_id}' };
const importStatement = { action: 'importStatement', subject: 'statement {file_no}' };
const confirmStatement = {
  action: 'confirmStatement',
  subject: 'statement {file_no}',
  columns: ['confirmed_by', 'confirmed_at'],
};

const merchantSettings = [
  'name',
  'default_notify_url',
  'ip_allow_list',
  'requests_per_second',
  'request_burst',
  'payin_min',
  'payin_max',
  'payout_min',
  'payout_max',
  'accept_deprecated_fields',
  'payin_enabled',
  'payout_enabled',
];
const declared = ['declared_mode', 'declared_by', 'declared_approver', 'declared_at', 'declared_evidence'];

const merchants: readonly RecordedTable[] = [
  {
    ...ofMerchant,
    table: 'merchant',
    free: ['changed_at'],
    insert: [{ action: 'createMerchant', subject: '{merchant_id}' }],
    update: [
      { action: 'setMerchant', subject: '{merchant_id}', columns: merchantSettings },
      { action: 'setMerchantStatus', subject: '{merchant_id}', columns: ['status'] },
      { action: 'pauseNotifications', subject: '{merchant_id}', columns: ['notifications_paused'] },
      { action: 'resumeNotifications', subject: '{merchant_id}', columns: ['notifications_paused'] },
    ],
  },
  {
    ...ofMerchant,
    table: 'merchant_key',
    free: ['last_used_at'],
    insert: [{ action: 'addMerchantKey', subject: '{key_id}' }],
    update: [
      { action: 'addMerchantKey', subject: '{key_id}', columns: ['expires_at'] },
      { action: 'retireMerchantKey', subject: '{key_id}', columns: ['expires_at'] },
    ],
  },
  {
    ...ofMerchant,
    table: 'merchant_service_key',
    insert: [
      { action: 'createMerchant', subject: '{merchant_id}', detail: { after: { serviceKeyId: '{key_id}' } } },
      { action: 'rotateServiceKey', subject: '{key_id}' },
    ],
    update: [
      // Of the keys before. The subject is the new key.
      { action: 'rotateServiceKey', columns: ['retires_at'] },
    ],
  },
  { ...ofMerchant, table: 'fee_rule', insert: [setFeeRule], update: [setFeeRule] },
  {
    ...ofMerchant,
    table: 'scheduled_fee_rule',
    insert: [setFeeRule],
    update: [setFeeRule],
    delete: [setFeeRule, { action: 'removeFeeRule', subject: 'fee {kind} {bank_code}' }],
  },
  {
    ...ofMerchant,
    table: 'route',
    insert: [setRoute],
    update: [setRoute],
    delete: [{ action: 'removeRoute', subject: 'route {route_no}' }],
  },
  {
    ...ofMerchant,
    table: 'settlement_cycle',
    insert: [setSettlementCycle],
    update: [setSettlementCycle],
    delete: [{ action: 'removeSettlementCycle', subject: 'settlement cycle' }],
  },
  {
    ...ofMerchant,
    table: 'settlement_account',
    insert: [
      { ...setSettlementCycle, detail: ofAccount },
      // The account that pays. It belongs to the platform.
      { action: 'createSettlementFile', tenants: 'PLATFORM-', detail: ofAccount },
    ],
  },
  {
    ...ofMerchant,
    table: 'settlement_file',
    insert: [{ action: 'createSettlementFile', subject: '{file_no}' }],
    update: [
      {
        action: 'finishSettlementFile',
        subject: '{file_no}',
        columns: ['state', 'settlements', 'total', 'sha256'],
      },
      {
        action: 'downloadSettlementFile',
        subject: '{file_no}',
        columns: ['downloaded_at', 'settlements', 'total', 'sha256'],
      },
      { action: 'proveSettlement', detail: { after: { names: '{file_no}' } }, columns: ['debit_line'] },
    ],
  },
];

const platform: readonly RecordedTable[] = [
  {
    ...ofPlatform,
    table: 'channel',
    free: ['changed_at'],
    insert: [setChannel],
    update: [
      setChannel,
      { action: 'setChannelEnabled', subject: '{channel_id}', columns: ['enabled'] },
      { ...withdrawDeclaration, columns: ['mode', ...declared] },
    ],
  },
  { ...ofPlatform, table: 'channel_credential', insert: [setChannel], delete: [setChannel] },
  { ...ofPlatform, table: 'bank_mapping', insert: [mapBank], update: [mapBank] },
  {
    ...ofPlatform,
    table: 'money_withholding',
    insert: [withdrawDeclaration],
    update: [withdrawDeclaration],
  },
  {
    ...ofPlatform,
    table: 'operator',
    // What an identity provider says.
    free: ['identity_roles', 'identity_seen_at'],
    insert: [
      { action: 'createOperator', subject: '{operator_id}' },
      { action: 'createOperatorOfIdentity', subject: '{operator_id}' },
    ],
    update: [
      { action: 'changeOperator', subject: '{operator_id}', columns: ['name', 'roles', 'countries', 'merchant_ids'] },
      { action: 'setOperatorEnabled', subject: '{operator_id}', columns: ['enabled'] },
      { action: 'createOperatorOfIdentity', subject: '{operator_id}', columns: ['external_id'] },
      { action: 'linkIdentity', subject: '{operator_id}', columns: ['external_id'] },
      { action: 'unlinkIdentity', subject: '{operator_id}', columns: ['external_id'] },
      // Who had the identity before.
      {
        action: 'linkIdentity',
        detail: { before: { disabled: ['{operator_id}'] } },
        columns: ['external_id', 'enabled'],
      },
    ],
  },
  {
    ...ofPlatform,
    table: 'operator_token',
    free: ['last_used_at'],
    insert: [
      {
        action: 'redeemInvitation',
        subject: '{operator_id}',
        detail: { after: { tokenId: `{token_hash:${tokenIdLength}}` } },
      },
    ],
    update: [{ action: 'revokeOperatorTokens', subject: '{operator_id}', columns: ['revoked_at'] }],
  },
  {
    ...ofPlatform,
    table: 'operator_invitation',
    free: ['wrong_tries', 'ended_at'],
    insert: [{ action: 'inviteOperator', subject: '{operator_id}', detail: { after: { fingerprint: '{code_hash}' } } }],
    update: [
      {
        action: 'redeemInvitation',
        subject: '{operator_id}',
        detail: { after: { invitationId: '{invitation_id}' } },
        columns: ['redeemed_at'],
      },
    ],
  },
  {
    ...ofPlatform,
    table: 'operator_session',
    free: ['last_used_at'],
    insert: [
      {
        action: 'signIn',
        subject: '{operator_id}',
        detail: { after: { sessionId: `{session_hash:${tokenIdLength}}` } },
      },
    ],
    // A session may end without a record.
    delete: 'free',
  },
];

const decisions: readonly RecordedTable[] = [
  // The record has the settings that are stored.
  {
    ...ofPlatform,
    table: 'csv_profile',
    insert: [{ action: 'setCsvProfile', subject: 'csv:{name}', detail: { after: '{profile}' } }],
  },
  {
    ...ofMerchant,
    table: 'audit_finding',
    free: ['last_found_at', 'detail'],
    insert: 'free',
    update: [{ action: 'closeFinding', subject: 'finding {finding_no}', columns: ['state', 'closed_at'] }],
  },
  {
    ...ofMerchant,
    table: 'payout_stop',
    free: ['stopped_at'],
    insert: 'free',
    update: [{ action: 'releasePayouts', subject: 'payouts of {merchant_id}', columns: ['released_at'] }],
  },
  {
    ...ofMerchant,
    table: 'reconciled_channel',
    insert: [setReconciliation],
    update: [setReconciliation],
    // The first statement that names an account decides which one it is.
    when: { insert: notOfWorker, update: `${notOfWorker} or old.account is not null` },
  },
  {
    ...ofMerchant,
    table: 'reconciliation_day',
    insert: 'free',
    update: [
      { action: 'closeDay', subject: 'day {channel_id} {day}' },
      { action: 'reopenDay', subject: 'day {channel_id} {day}' },
    ],
    // What statements and the ledger have of the day is free.
    when: { update: isOther(dayFacts) },
  },
  {
    ...ofMerchant,
    table: 'reconciliation_break',
    insert: [],
    update: [
      { action: 'resolveBreak', subject: 'break {break_no}' },
      { action: 'resolveBreak', detail: { after: { otherBreakNo: '{break_no}' } } },
      // By the ledger's connection of the worker. The subject is one of the lines.
      { action: 'proveSettlement', columns: provenBreak },
    ],
    // The matching opens breaks and ends those that it explains, says what an open one is about, and who was credited its money.
    when: {
      insert: "new.state not in ('open', 'matched') or new.decided_at is not null or new.decided_by is not null",
      update: `${notOfWorker} and ${isOther([])} or ${isOther(foundOfBreak)}
    or new.state <> old.state and (old.state, new.state) not in (('open', 'matched'), ('posting', 'posted'), ('posting', 'open'))
    or old.state not in ('open', 'posting') and ${isOther(['credited_id', 'credited_transfer_no'])}`,
    },
  },
  {
    ...ofMerchant,
    table: 'statement_file',
    insert: [importStatement],
    update: [importStatement, confirmStatement],
    delete: 'free',
    when: {
      insert: `new.state not in ('uploading', 'uploaded') and ${notOfWorker} or new.confirmed_at is not null or new.imported_by <> '{}'`,
      update: `new.state not in ('uploading', 'uploaded') and ${notOfWorker} or ${isChanged('confirmed_by', 'confirmed_at', 'imported_by')}`,
    },
  },
];

/** What the API changes, and the record that each such change needs. */
export const recordedTables: readonly RecordedTable[] = [...merchants, ...platform, ...decisions];

const operations: readonly Operation[] = ['insert', 'update', 'delete'];
const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function triggerOf({ table, tenant, free = [], when = {}, ...rules }: RecordedTable, operation: Operation): string {
  const changes = rules[operation];
  if (changes === 'free') return '';
  const condition = when[operation] === undefined ? '' : ` when (${when[operation]})`;
  const values = [tenant, free.join(','), JSON.stringify(changes ?? [])].map(quoted).join(', ');
  return `create constraint trigger recorded_${operation} after ${operation} on ${table} deferrable initially deferred
  for each row${condition} execute function require_record(${values});`;
}

/** One trigger for each kind of change, checked when the transaction ends: the record is written after the change. */
export const records = recordedTables
  .flatMap((one) => operations.map((operation) => triggerOf(one, operation)))
  .join('\n');
