import { expect } from 'vitest';

/** A command line and its expected result. `$PK` in an argument is replaced by the test's value of that name. */
export interface Try {
  args: string[];
  stdin?: string;
  env?: Record<string, string>;
  /** The expected JSON document. */
  gives?: object;
  /** It waits for a second operator. Later lines can use its id as `$approval`. */
  waits?: true;
  /** The expected text on standard error. The exit code is then 1, or 2 for `usage`. */
  refused?: RegExp;
  usage?: RegExp;
}

export const withBob = { TIDEGATE_APPROVER_TOKEN: '$bob' };
export const asBob = { TIDEGATE_OPERATOR_TOKEN: '$bob' };

export const people: Try[] = [
  {
    args: ['create-operator', 'carl', '--name', 'Carl', '--roles', 'viewer'],
    env: withBob,
    gives: { operatorId: 'carl', roles: ['viewer'] },
  },
  { args: ['create-operator', 'carl', '--name', 'Carl', '--roles', 'viewer'], env: withBob, refused: /already/ },
  { args: ['create-operator', 'carl', '--name', 'Carl', '--roles', 'god'], usage: /must be of viewer/ },
  {
    args: ['change-operator', 'carl', '--countries', 'PK,IN'],
    env: withBob,
    gives: { countries: ['PK', 'IN'] },
  },
  {
    args: ['change-operator', 'nobody', '--name', 'N', '--roles', 'viewer'],
    env: withBob,
    refused: /no such operator/,
  },
  {
    args: ['list-operators'],
    gives: expect.arrayContaining([expect.objectContaining({ operatorId: 'carl', countries: ['PK', 'IN'] })]),
  },
  { args: ['list-operators', '--limit', '0'], usage: /1 to 1000/ },
  {
    args: ['change-operator', 'alice', '--name', 'A', '--roles', 'viewer'],
    env: withBob,
    refused: /take the role admin from yourself/,
  },
  { args: ['make-keys', '$keyFolder'], gives: { files: expect.arrayContaining(['keys-admin', 'keys-rest']) } },
  { args: ['make-keys', '$noKey'], refused: /cannot be used/ },
  { args: ['make-code', '$code'], gives: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  { args: ['make-code', '$code'], refused: /cannot be written: it exists already/ },
  { args: ['redeem-code', '$code'], refused: /its invitation has ended/ },
  {
    args: ['invite-operator', 'carl', '--fingerprint', 'ABC'],
    env: withBob,
    usage: /64 lower-case hexadecimal digits/,
  },
  {
    args: ['invite-operator', 'carl', '--fingerprint', '$fingerprint', '--expires-at', '2001-01-01'],
    env: withBob,
    refused: /is in the past/,
  },
  {
    args: ['invite-operator', 'carl', '--fingerprint', '$fingerprint', '--expires-at', '2099-01-01'],
    env: withBob,
    gives: { operatorId: 'carl' },
  },
  {
    args: ['redeem-code', '$code'],
    env: { TIDEGATE_OPERATOR_TOKEN: '' },
    gives: { operatorId: 'carl', token: expect.stringMatching(/^tgo_/) },
  },
  { args: ['redeem-code', '$code'], refused: /its invitation has ended/ },
  { args: ['revoke-token', 'carl', '--token-id', '$tokenId'], gives: { tokenIds: ['$tokenId'] } },
  { args: ['revoke-token', 'carl', '--token-id', '$tokenId'], refused: /no such valid token/ },
  { args: ['disable-operator', 'carl'], gives: { enabled: false } },
  { args: ['disable-operator', 'alice'], refused: /yourself/ },
  { args: ['enable-operator', 'carl'], env: withBob, gives: { enabled: true } },
  {
    args: ['link-identity', 'carl', '--issuer', 'https://id.test/', '--subject', 'u-1'],
    env: withBob,
    gives: { operatorId: 'carl', subject: 'u-1' },
  },
  {
    args: ['link-identity', 'carl', '--issuer', 'https://id.test/', '--subject', 'u-2'],
    env: withBob,
    refused: /has an identity already/,
  },
  { args: ['unlink-identity', 'carl'], env: withBob, refused: /one kind of sign-in/ },
  {
    args: ['unlink-identity', 'carl'],
    env: { ...withBob, TIDEGATE_APPROVAL_SIGN_IN: 'token' },
    gives: { operatorId: 'carl' },
  },
  { args: ['enable-operator', 'nobody'], env: withBob, refused: /no such operator/ },
];

const booking = (command: string, merchant: string, amount: string, no: string): string[] => [
  command,
  merchant,
  `--amount=${amount}`,
  '--booking-no',
  no,
  '--remark',
  'by hand',
];
const adjustment = (merchant: string, amount: string, no: string): string[] => [
  ...booking('adjust', merchant, amount, no),
  '--kind=fee',
];
export const money: Try[] = [
  {
    args: booking('top-up', '$PK', '50000', 'T1'),
    env: withBob,
    gives: { change: '50000.00', available: '50000.00', alreadyBooked: false },
  },
  { args: booking('top-up', '$PK', '50000.00', 'T1'), gives: { available: '50000.00', alreadyBooked: true } },
  { args: booking('top-up', '$PK', '7', 'T1'), refused: /was used for something else/ },
  { args: booking('top-up', '$PK', '1e3', 'T2'), usage: /Write an amount in digits/ },
  { args: booking('top-up', '$IN', '1000', 'T1'), gives: {} },
  { args: booking('settle', '$PK', '10000.01', 'S0'), waits: true, gives: { subject: 'S0' } },
  { args: ['reject', '$approval'], refused: /another operator has to decide/ },
  { args: ['withdraw', '$approval'], env: asBob, refused: /only the operator who requested/ },
  { args: ['reject', '$approval'], env: asBob, gives: { state: 'rejected', outcome: 'a test' } },
  { args: booking('settle', '$PK', '10000.01', 'S0'), waits: true, gives: { subject: 'S0' } },
  { args: ['withdraw', '$approval'], gives: { state: 'withdrawn', outcome: 'a test' } },
  { args: booking('settle', '$PK', '50000.01', 'S1'), refused: /available balance of the wallet is too low/ },
  { args: booking('settle', '$PK', '-1', 'S1'), usage: /must be an amount above 0/ },
  {
    args: booking('settle', '$PK', '10000.01', 'S1'),
    env: withBob,
    gives: { available: '39999.99' },
  },
  { args: booking('settle', '$PK', '9999', 'S2'), gives: { available: '30000.99' } },
  { args: adjustment('$PK', '-0.99', 'A1'), gives: { change: '-0.99', available: '30000.00' } },
  { args: booking('adjust', '$PK', '-0.99', 'A2'), usage: /kind/ },
  { args: [...adjustment('$PK', '-0.99', 'A2'), '--channel', 'fake'], refused: /names its channel/ },
  { args: ['reverse-booking', '$PK', 'A9', '--remark', 'r'], refused: /no such booking/ },
  // Together with earlier bookings it exceeds the daily limit.
  { args: booking('settle', '$PK', '0.02', 'S3'), waits: true, gives: { subject: 'S3' } },
  { args: adjustment('$TH', '-0.99', 'A1'), refused: /available balance of the wallet is too low/ },
  {
    args: ['show-wallet', '$PK', '--page-size', '2'],
    gives: { available: '30000.00', entryCount: 4, entries: [{ bookingNo: 'A1' }, { bookingNo: 'S2' }] },
  },
  { args: ['reverse-booking', '$PK', 'A1', '--remark', 'r'], env: withBob, gives: { available: '30000.99' } },
  { args: ['reverse-booking', '$PK', 'A1', '--remark', 'r'], env: withBob, refused: /was reversed already/ },
  { args: ['show-wallet', 'NEW-9'], refused: /no merchant/ },
];

export const tasks: Try[] = [
  { args: ['list-tasks'], gives: [{ state: 'available', payee: 'Zoya', account: 'PK1234' }, { state: 'available' }] },
  { args: ['list-tasks', '--limit', '0'], usage: /1 to 1000/ },
  { args: ['prove-task', '$task', '--reference', 'R1', '--payer', 'Bank A'], refused: /the task is not available/ },
  { args: ['claim-task', '$task'], gives: { state: 'claimed', claimedBy: 'alice', status: 'processing' } },
  { args: ['claim-task', '$task'], env: asBob, refused: /the task is not available/ },
  {
    args: ['give-back-task', '$task'],
    env: asBob,
    refused: /another operator has claimed/,
  },
  { args: ['give-back-task', '$task'], gives: { state: 'available' } },
  { args: ['claim-task', '$task'], gives: {} },
  { args: ['accept-proof', '$task'], refused: /no proof of payment/ },
  { args: ['prove-task', '$task', '--reference', 'R1', '--payer', 'Bank A'], gives: { state: 'proved', proof: 'R1' } },
  { args: ['reject-proof', '$task'], refused: /second operator/ },
  { args: ['reject-proof', '$task'], env: asBob, gives: { state: 'claimed' } },
  {
    args: ['prove-task', '$task', '--reference', 'R2', '--payer', 'Bank A', '--note', 'again'],
    gives: { proof: 'R2' },
  },
  {
    args: ['accept-proof', '$task', '--token-file', '$bobFile'],
    env: { TIDEGATE_OPERATOR_TOKEN: '' },
    gives: { status: 'completed' },
  },
];

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString();
const today = ['--from', day(-1), '--to', day(1)];
const fast = { TIDEGATE_SCHEDULE_SCALE: '0.000001' };
const evidence = ['--evidence', 'statement 7, line 3'];
export const decisions: Try[] = [
  { args: ['cancel-order', '$listed'], gives: { status: 'cancelled' } },
  { args: ['cancel-order', '$listed'], refused: /show-order/ },
  {
    args: ['confirm-funds', '$manual', '--amount', '40', '--reference', 'B1'],
    gives: { status: 'partial_paid', paidAmount: '40.00' },
  },
  { args: ['confirm-funds', '$manual', '--amount', '60.01', '--reference', 'B1'], refused: /something else/ },
  { args: ['confirm-funds', '$manual', '--amount', '60', '--reference', 'B2'], gives: { status: 'completed' } },
  {
    args: ['confirm-funds', '$manual2', '--amount', '100', '--reference', 'b-1'],
    refused: /already used for the transfer of another order/,
  },
  { args: ['list-stuck-payouts'], env: fast, gives: [{ status: 'processing' }, { status: 'processing' }] },
  { args: ['list-stuck-payouts'], env: { TIDEGATE_SCHEDULE_SCALE: 'fast' }, usage: /TIDEGATE_SCHEDULE_SCALE/ },
  { args: ['resolve-payout', '$stuck', '--outcome', 'lost', ...evidence], usage: /paid or failed/ },
  { args: ['refresh-order', '$listed'], refused: /does not apply to this kind of order/ },
  { args: ['refresh-order', '$polled'], gives: { status: 'processing' } },
  {
    args: ['resolve-payout', '$stuck', '--outcome', 'paid', ...evidence, '--approver-token-file', '$bobFile'],
    gives: { status: 'completed' },
  },
  {
    args: ['show-order', '$stuck'],
    gives: { status: 'completed', history: [{}, {}, { actor: 'operator:alice+bob' }] },
  },
  { args: ['show-order', 'PO1'], refused: /no order PO1/ },
  { args: ['resend-notification', '$manual', '--request-key', 'K1'], refused: /no such notification/ },
  { args: ['resend-notification', '$reported', '--request-key', 'K1'], gives: { matched: 1 } },
  {
    args: [
      'resend-notifications',
      '$IN',
      '--from',
      '2026-01-01',
      '--to',
      '2026-01-02',
      '--states',
      'exhausted',
      '--request-key',
      'K2',
    ],
    refused: /no such notification/,
  },
  {
    args: ['resend-notifications', '$IN', ...today, '--states', 'pending,exhausted', '--request-key', 'K3'],
    gives: { matched: 2 },
  },
  { args: ['pause-notifications', '$IN'], gives: { paused: true } },
  { args: ['pause-notifications', 'NEW-9'], refused: /no such merchant/ },
  { args: ['resume-notifications', '$IN'], gives: { paused: false } },
  { args: ['resume-notifications', 'NEW-9'], refused: /no such merchant/ },
  {
    args: ['list-cases'],
    gives: [
      { merchantId: 'PLATFORM-PK', kind: 'unmatched' },
      { kind: 'late', amount: '100.00' },
    ],
  },
  { args: ['list-cases', '--limit', 'all'], usage: /1 to 1000/ },
  { args: ['credit-case', 'PLATFORM-PK', '1'], refused: /cannot be credited/ },
  { args: ['return-case', 'PLATFORM-PK', '1'], env: withBob, gives: { state: 'returned' } },
  { args: ['return-case', 'PLATFORM-PK', '1'], refused: /decided already/ },
  { args: ['credit-case', '$IN', '1'], gives: { state: 'credited' } },
  { args: ['show-order', '$late'], gives: { status: 'completed', payments: [{ reference: 'L1' }] } },
];
