import { expect } from 'vitest';

/** A command line, and what it has to come to. `$PK` in an argument stands for what the test knows under that name. */
export interface Try {
  args: string[];
  stdin?: string;
  env?: Record<string, string>;
  /** What the JSON document holds. */
  gives?: object;
  /** What standard error says; the exit code is then 1, or 2 for `usage`. */
  refused?: RegExp;
  usage?: RegExp;
}

export const configuration: Try[] = [
  { args: ['migrate'], gives: { signingKey: expect.any(String) } },
  { args: ['migrate', 'twice'], usage: /too many arguments/ },
  { args: ['create-merchant', 'NEW-1', '--name', 'New', '--country', 'PK'], gives: { merchantNo: 'NEW-1' } },
  { args: ['create-merchant', 'NEW-1', '--name', 'New', '--country', 'PK'], refused: /NEW-1 is taken/ },
  { args: ['create-merchant', 'PLATFORM-X', '--name', 'New', '--country', 'PK'], refused: /platform's own/ },
  {
    args: ['create-merchant', 'NEW-2', '--name', 'N', '--country', 'PK', '--default-notify-url', 'http://10.0.0.1/'],
    refused: /private/,
  },
  { args: ['disable-merchant', 'NEW-1'], gives: { status: 'disabled' } },
  { args: ['disable-merchant', 'PLATFORM'], refused: /no merchant PLATFORM/ },
  { args: ['enable-merchant', 'NEW-1'], gives: { status: 'active' } },
  { args: ['enable-merchant', 'NEW-9'], refused: /no merchant NEW-9/ },
  {
    args: [
      'set-merchant',
      'NEW-1',
      '--ip-allow-list',
      '203.0.113.7, 2001:db8::/32',
      '--payout',
      'off',
      '--payin-max',
      '500',
      '--requests-per-second',
      '5',
    ],
    gives: {
      ipAllowList: ['203.0.113.7', '2001:db8::/32'],
      payoutEnabled: false,
      payinMax: '500.00',
      requestsPerSecond: 5,
    },
  },
  {
    args: ['set-merchant', 'NEW-1', '--ip-allow-list', 'none', '--default-notify-url', 'none'],
    gives: { ipAllowList: null },
  },
  { args: ['set-merchant', 'NEW-1', '--payin-min', '501'], refused: /minimum would be above/ },
  { args: ['set-merchant', 'NEW-1', '--ip-allow-list', '203.0.113.0/33'], refused: /neither an address nor a network/ },
  { args: ['set-merchant', 'NEW-1'], refused: /nothing is to be set/ },
  { args: ['add-key', 'NEW-1', '--public-key-file', '$noKey'], refused: /no key that a merchant can sign with/ },
  { args: ['add-key', 'NEW-1', '--public-key-file', '/nowhere'], usage: /ENOENT/ },
  { args: ['add-key', 'NEW-1', '--public-key-file', '$pem'], gives: { merchantNo: 'NEW-1' } },
  { args: ['retire-key', 'NEW-1', '$keyId', '--ends-at', '2099-12-31'], gives: { endsAt: '2099-12-31T00:00:00.000Z' } },
  { args: ['retire-key', 'NEW-1', 'other'], refused: /has no key other/ },
  { args: ['retire-key', 'NEW-1', '$keyId', '--ends-at', 'soon'], usage: /Expected a time/ },
  { args: ['set-fee', 'NEW-1', '--kind', 'payin', '--percent', '2.5', '--fixed', '0'], gives: { percent: '2.5' } },
  { args: ['set-fee', 'NEW-1', '--kind', 'payin', '--percent', '1e1', '--fixed', '0'], usage: /percentage/ },
  {
    args: [
      'set-fee',
      'NEW-1',
      '--kind',
      'payin',
      '--percent',
      '1',
      '--fixed',
      '0',
      '--minimum',
      '10',
      '--maximum',
      '9.99',
    ],
    refused: /below/,
  },
  { args: ['set-channel', 'market', '--adapter', 'market'], gives: { channelId: 'market' } },
  {
    args: ['set-channel', 'acme', '--adapter', 'sandbox', '--base-url', 'http://acme.test', '--credentials-file', '-'],
    stdin: '{"secret":"hush"}',
    gives: { channelId: 'acme', credentialNames: ['secret'] },
  },
  {
    args: ['set-channel', 'acme', '--adapter', 'sandbox', '--base-url', 'http://a.test', '--credentials-file', '-'],
    stdin: '{"a":1}',
    refused: /JSON object of texts/,
  },
  { args: ['set-channel', 'acme', '--adapter', 'sandbox'], refused: /needs --base-url/ },
  { args: ['set-channel', 'manual', '--adapter', 'manual'], gives: {} },
  {
    args: ['set-route', '$PK', '2', '--kind', 'payout', '--channel', 'market', '--mode', 'market'],
    gives: { routeNo: 2 },
  },
  {
    args: ['set-route', '$TH', '1', '--kind', 'payin', '--channel', 'manual', '--mode', 'manual'],
    gives: { routeNo: 1 },
  },
  { args: ['set-route', '$PK', '3', '--kind', 'payout', '--channel', 'nowhere'], refused: /does not exist/ },
  { args: ['set-route', 'NEW-1', '7', '--kind', 'payin', '--channel', 'acme'], gives: {} },
  { args: ['remove-route', 'NEW-1', '7'], gives: { routeNo: 7 } },
  { args: ['remove-route', 'NEW-1', '7'], refused: /no route 7/ },
  { args: ['disable-channel', 'acme'], gives: { enabled: false } },
  { args: ['disable-channel', 'nowhere'], refused: /no channel nowhere/ },
  { args: ['enable-channel', 'acme'], gives: { enabled: true } },
  { args: ['enable-channel', 'nowhere'], refused: /no channel nowhere/ },
  {
    args: ['map-bank', 'market', '--kind', 'payout', '--bank-code', 'HBL', '--channel-bank-code', 'H'],
    gives: { bankCode: 'HBL' },
  },
  {
    args: ['map-bank', 'market', '--kind', 'payout', '--bank-code', 'hbl', '--channel-bank-code', 'H'],
    usage: /capital letters/,
  },
];

export const people: Try[] = [
  {
    args: ['create-operator', 'carl', '--name', 'Carl', '--roles', 'viewer'],
    gives: { operatorId: 'carl', roles: ['viewer'] },
  },
  { args: ['create-operator', 'carl', '--name', 'Carl', '--roles', 'viewer'], refused: /already/ },
  { args: ['create-operator', 'carl', '--name', 'Carl', '--roles', 'god'], usage: /Expected viewer or/ },
  {
    args: ['create-operator', 'alice', '--name', 'A', '--roles', 'viewer', '--change'],
    refused: /take the role admin from yourself/,
  },
  { args: ['create-token', 'carl', '--expires-at', '2099-01-01'], gives: { token: expect.stringMatching(/^tgo_/) } },
  { args: ['create-token', 'carl', '--expires-at', '2001-01-01'], refused: /is over/ },
  { args: ['revoke-token', 'carl', '--token-id', '$tokenId'], gives: { revoked: 1 } },
  { args: ['revoke-token', 'carl', '--token-id', '$tokenId'], refused: /no such token/ },
  { args: ['disable-operator', 'carl'], gives: { enabled: false } },
  { args: ['disable-operator', 'alice'], refused: /yourself/ },
  { args: ['enable-operator', 'carl'], gives: { enabled: true } },
  { args: ['enable-operator', 'nobody'], refused: /no operator nobody/ },
];

const booking = (command: string, merchant: string, amount: string, no: string): string[] => [
  ...[command, merchant, `--amount=${amount}`, '--booking-no', no, '--remark', 'by hand'],
];
export const money: Try[] = [
  {
    args: booking('top-up', '$PK', '50000', 'T1'),
    gives: { change: '50000.00', available: '50000.00', alreadyBooked: false },
  },
  { args: booking('top-up', '$PK', '50000.00', 'T1'), gives: { available: '50000.00', alreadyBooked: true } },
  { args: booking('top-up', '$PK', '7', 'T1'), refused: /was used for TOP_UP 50000.00/ },
  { args: booking('top-up', '$PK', '1e3', 'T2'), usage: /Expected an amount/ },
  { args: booking('top-up', '$IN', '1000', 'T1'), gives: {} },
  { args: booking('settle', '$PK', '10000.01', 'S1'), refused: /second operator/ },
  {
    args: booking('settle', '$PK', '10000.01', 'S1'),
    env: { TIDEGATE_APPROVER_TOKEN: '$bob' },
    gives: { available: '39999.99' },
  },
  { args: booking('settle', '$PK', '9999', 'S2'), gives: { available: '30000.99' } },
  { args: booking('adjust', '$PK', '-0.99', 'A1'), gives: { change: '-0.99', available: '30000.00' } },
  { args: booking('adjust', '$TH', '-0.99', 'A1'), refused: /not enough available/ },
  {
    args: ['show-wallet', '$PK', '--page-size', '2'],
    gives: { available: '30000.00', entryCount: 4, entries: [{ bookingNo: 'A1' }, { bookingNo: 'S2' }] },
  },
  { args: ['show-wallet', 'NEW-9'], refused: /no merchant/ },
];

export const tasks: Try[] = [
  { args: ['list-tasks'], gives: [{ state: 'available', payee: 'Zoya', account: 'PK1234' }, { state: 'available' }] },
  { args: ['list-tasks', '--limit', '0'], usage: /1 to 1000/ },
  { args: ['claim-task', '$task'], gives: { state: 'claimed', claimedBy: 'alice', status: 'processing' } },
  { args: ['claim-task', '$task'], env: { TIDEGATE_OPERATOR_TOKEN: '$bob' }, refused: /not there to be had/ },
  {
    args: ['give-back-task', '$task'],
    env: { TIDEGATE_OPERATOR_TOKEN: '$bob' },
    refused: /another operator has claimed/,
  },
  { args: ['give-back-task', '$task'], gives: { state: 'available' } },
  { args: ['prove-task', '$task', '--reference', 'R1', '--payer', 'Bank A'], refused: /not there to be had/ },
  { args: ['claim-task', '$task'], gives: {} },
  { args: ['accept-proof', '$task'], refused: /no proof of payment/ },
  { args: ['prove-task', '$task', '--reference', 'R1', '--payer', 'Bank A'], gives: { state: 'proved', proof: 'R1' } },
  { args: ['reject-proof', '$task'], refused: /second operator/ },
  { args: ['reject-proof', '$task'], env: { TIDEGATE_OPERATOR_TOKEN: '$bob' }, gives: { state: 'claimed' } },
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

const fast = { TIDEGATE_SCHEDULE_SCALE: '0.000001' };
const evidence = ['--evidence', 'statement 7, line 3'];
export const decisions: Try[] = [
  { args: ['cancel-order', '$listed'], gives: { status: 'cancelled' } },
  { args: ['cancel-order', '$listed'], refused: /show-order/ },
  {
    args: ['confirm-funds', '$manual', '--amount', '40', '--reference', 'B1'],
    gives: { status: 'partial_paid', paidAmount: '40.00' },
  },
  { args: ['confirm-funds', '$manual', '--amount', '60.01', '--reference', 'B2'], refused: /still due/ },
  { args: ['confirm-funds', '$manual', '--amount', '60', '--reference', 'B2'], gives: { status: 'completed' } },
  { args: ['list-stuck-payouts'], env: fast, gives: [{ status: 'processing' }] },
  { args: ['list-stuck-payouts'], env: { TIDEGATE_SCHEDULE_SCALE: 'fast' }, usage: /TIDEGATE_SCHEDULE_SCALE/ },
  { args: ['resolve-payout', '$stuck', '--outcome', 'paid', ...evidence], refused: /second operator/ },
  {
    args: ['resolve-payout', '$stuck', '--outcome', 'paid', ...evidence, '--approver-token-file', '$bobFile'],
    gives: { status: 'completed' },
  },
  {
    args: ['show-order', '$stuck'],
    gives: { status: 'completed', history: [{}, {}, { actor: 'operator:alice+bob' }] },
  },
  { args: ['show-order', 'PO1'], refused: /no order PO1/ },
  {
    args: ['list-cases'],
    gives: [
      { merchantId: 'PLATFORM-PK', kind: 'unmatched' },
      { kind: 'late', amount: '100.00' },
    ],
  },
  { args: ['list-cases', '--limit', 'all'], usage: /1 to 1000/ },
  { args: ['credit-case', 'PLATFORM-PK', '1'], refused: /cannot be credited/ },
  { args: ['return-case', 'PLATFORM-PK', '1'], gives: { state: 'returned' } },
  { args: ['return-case', 'PLATFORM-PK', '1'], refused: /decided already/ },
  { args: ['credit-case', '$IN', '1'], gives: { state: 'credited' } },
  { args: ['show-order', '$late'], gives: { status: 'completed', payments: [{ reference: 'L1' }] } },
];
