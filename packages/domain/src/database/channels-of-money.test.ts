import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batch, entry, moved, oneBatch, oneRecord, record, set, transfer } from '../../test/forged-rows.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { audit } from '../audit/audit.ts';
import type { Order } from '../core/order.ts';
import { aReport, placePayin } from '../testing/payins.ts';
import { placePayout } from '../testing/payouts.ts';
import { type DatabaseRole, ledgerRoles } from './role-grants.ts';

// Money moves at the channel that it is of: only that one's statements are expected to show it.

let stolen: StolenRoles;
let payin: Order;
let failed: Order;
let payout: Order;
const platform = 'PLATFORM-IN';
const otherAccounts = ['channel:other', 'channel:', 'channel:fake:2'] as const;
beforeAll(async () => {
  stolen = await openStolenRoles();
  const { domain } = stolen.owner;
  payin = await placePayin(domain, stolen.merchantId, 'IN');
  failed = await placePayin(domain, stolen.merchantId, 'IN');
  await domain.commit(aReport(failed, { outcome: 'failed', reason: 'no' }));
  payout = await placePayout(domain, stolen.merchantId, 'IN');
});
afterAll(async () => {
  const { violations } = await audit(stolen.owner.domain);
  await stolen.close();
  expect(violations).toEqual([]);
});

const attack = (role: DatabaseRole, statements: readonly string[], of?: string) =>
  stolen.attack(role, statements, false, of);

const move = (debit: string, credit: string, cause: string, amount: string, of: Order | null, no = 1) =>
  transfer({
    transfer_no: `last_transfer_no + ${no}`,
    debit: `'${debit}'`,
    credit: `'${credit}'`,
    cause: `'${cause}'`,
    amount,
    order_no: of ? `'${of.orderNo}'` : 'null',
  })();
const ends = ({ orderNo }: Order) =>
  `update orders set status = 'completed', paid_amount = amount, completed_at = now(), next_action = null, next_action_at = null where order_no = '${orderNo}'`;
const payment = (orderNo: string, direction: string, use: string, amount: string, channel = 'fake') =>
  `insert into payment (merchant_id, order_no, seq, direction, reference, channel_id, amount, use, received_at, batch_no)
    select merchant_id, '${orderNo}', 1, '${direction}', 'F1', '${channel}', ${amount}, '${use}', now(), last_batch_no + 1 from wallet where merchant_id = $1`;
const opens = (kind: string, orderNo: string | null, paymentOrderNo: string, amount: string, channel = 'fake') =>
  `insert into money_case (merchant_id, case_no, kind, order_no, payment_order_no, reference, channel_id, currency, amount, detail, opened_at, batch_no)
    select merchant_id, last_case_no + 1, '${kind}', ${orderNo ? `'${orderNo}'` : 'null'}, '${paymentOrderNo}', 'F1', '${channel}', currency, ${amount}, 'x',
      now(), last_batch_no + 1 from wallet where merchant_id = $1`;
const oneCase = `last_transfer_no = last_transfer_no + 1, last_case_no = last_case_no + 1, ${oneBatch}`;

const channelOf = (account: string) => account.slice('channel:'.length);
const paidPayin = (account: string, feeAccount = account) => {
  const { orderNo, netAmount, amount, feeAmount } = payin;
  const changes = { type: "'PAYIN'", order_no: `'${orderNo}'`, booking_no: 'null', counter: 'null' };
  return [
    batch(),
    ends(payin),
    entry({ ...changes, available_change: netAmount, available_after: `available + ${netAmount}` })(),
    move(account, 'available', 'payin', netAmount, payin),
    move(feeAccount, 'fee_revenue', 'payin_fee', feeAmount, payin, 2),
    payment(orderNo, 'in', 'credited', amount, channelOf(account)),
    set(
      `available = available + ${netAmount}, last_entry_no = last_entry_no + 1, last_transfer_no = last_transfer_no + 2, ${oneBatch}`,
    )(),
  ];
};
const paidPayout = (account: string) => {
  const { orderNo, netAmount, amount, feeAmount } = payout;
  const changes = { type: "'PAYOUT'", order_no: `'${orderNo}'`, booking_no: 'null', counter: 'null' };
  const unchanged = { available_change: '0', available_after: 'available' };
  return [
    batch(),
    ends(payout),
    entry({ ...changes, ...unchanged, frozen_change: `-${netAmount}`, frozen_after: `frozen - ${netAmount}` })(),
    move('frozen', account, 'payout_settle', amount, payout),
    move('frozen', 'fee_revenue', 'payout_fee', feeAmount, payout, 2),
    payment(orderNo, 'out', 'credited', amount, channelOf(account)),
    set(`frozen = frozen - ${netAmount}, ${moved.replace('transfer_no + 1', 'transfer_no + 2')}`)(),
  ];
};
const latePayment = (account: string) => [
  batch(),
  move(account, 'suspense', 'suspense_in', '5000', failed),
  payment(failed.orderNo, 'in', 'suspense', '5000', channelOf(account)),
  opens('late', failed.orderNo, failed.orderNo, '5000', channelOf(account)),
  set(oneCase)(),
];
const unmatched = (account: string, channel = 'fake') => [
  batch(),
  move(account, 'suspense', 'suspense_in', '5000', null),
  payment('UNKNOWN', 'in', 'suspense', '5000', channel),
  opens('unmatched', null, 'UNKNOWN', '5000', channel),
  set(oneCase)(),
];

describe.each(ledgerRoles)('%s books at the channel of the payment', (role) => {
  const refused = (statements: string[], of?: string) =>
    expect(attack(role, statements, of)).rejects.toThrow('are_due": false');

  test('a payin, its fee, a payout, a late payment and one of no order', async () => {
    for (const statements of [paidPayin('channel:fake'), paidPayout('channel:fake'), latePayment('channel:fake')])
      await attack(role, statements);
    await attack(role, unmatched('channel:fake'), platform);
  });

  test.each(otherAccounts)('and not at %s', async (account) => {
    for (const statements of [paidPayin(account), paidPayout(account), latePayment(account)]) await refused(statements);
    await expect(attack(role, paidPayin('channel:fake', account))).rejects.toThrow('does not move its money');
    await refused(unmatched(account), platform);
  });

  test('nor at one that is not there, also if payment and case name it', async () => {
    await refused(unmatched('channel:other', 'other'), platform);
    await refused(latePayment('channel:other'));
    const rerouted = `update orders set channel_id = 'other' where order_no = '${payin.orderNo}'`;
    await expect(attack(role, [rerouted, ...paidPayin('channel:other')])).rejects.toThrow('its channel is not there');
  });
});

test('the REST adapter makes no order of a channel that is not there', async () => {
  const copy = `insert into orders select (jsonb_populate_record(o, '{"order_no": "PIFORGED", "merchant_order_no": "FORGED", "channel_id": "other",
    "status": "created"}')).* from orders o where o.order_no = '${payin.orderNo}'`;
  await expect(attack('rest_ledger', [copy])).rejects.toThrow('its channel is not there');
});

describe('what a statement shows is posted where its break says', () => {
  const breakNo = 500;
  const rows = [
    `insert into statement_file (merchant_id, file_no, name, uploaded_by, state, channel_id, format, sha256, size) overriding system value
      values ('${platform}', 77, 'x', 'ann', 'received', 'fake', 'json-lines', repeat('a', 64), 3)`,
    `insert into statement_line (merchant_id, file_no, line_no, part, channel_id, day, format_version, type, direction, gross, fee, tax, net, currency)
      values ('${platform}', 77, 1, 0, 'fake', '2026-11-20', 1, 'unknown', 'out', 5000, 0, 0, 5000, 'INR')`,
    `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, part)
      values ('${platform}', ${breakNo}, 'fake', '2026-11-20', 'line 77/1/0', 'missing_in_ledger', -5000, 77, 1, 0)`,
  ];
  beforeAll(async () => {
    for (const one of rows) await stolen.owner.domain.database.pool.query(one);
  });
  const ended = (action: string, debit: string, credit: string) => [
    `update reconciliation_break set state = 'posted', account = 'variance:fake', decided_at = now(), closed_at = now() where break_no = ${breakNo}`,
    batch(),
    move(debit, credit, 'reconciliation', '5000', null),
    record(action, `break ${breakNo}`)(),
    set(`last_transfer_no = last_transfer_no + 1, ${oneBatch}, ${oneRecord}`)(),
  ];
  const others = ['fee_revenue', 'dispute', 'suspense ', 'anything', 'channel:other', 'variance:other', 'written_off:'];

  test('the worker proves what moved between the channel and the bank, the way of the line', async () => {
    const prove = (debit: string, credit: string) =>
      attack('worker_ledger', ended('proveSettlement', debit, credit), platform);
    await prove('external', 'channel:fake');
    for (const other of [...others, 'variance:fake', 'written_off:fake', 'channel_fee:fake'])
      for (const [debit, credit] of [
        [other, 'channel:fake'],
        ['channel:fake', other],
      ] as const)
        await expect(prove(debit, credit), `${debit} to ${credit}`).rejects.toThrow(
          /are_due": false|transfer_cause_check/,
        );
    await expect(prove('channel:fake', 'external')).rejects.toThrow('are_due": false');
  });

  test('operators post to the account that the break keeps, or let somebody bear it', async () => {
    const resolve = (account: string) => attack('api_ledger', ended('resolveBreak', account, 'channel:fake'), platform);
    for (const account of ['variance:fake', 'written_off:fake', 'external']) await resolve(account);
    for (const account of [...others, 'channel_fee:fake'])
      await expect(resolve(account), account).rejects.toThrow(/are_due": false|transfer_cause_check/);
  });
});

test('a closing posts what it records, and its day shows what all closings recorded', async () => {
  const day = '2026-11-19';
  await stolen.owner.domain.database.pool.query(
    `insert into reconciliation_day (merchant_id, channel_id, day) values ('${platform}', 'fake', '${day}')`,
  );
  const close = (tolerated: string, ...sets: string[]) =>
    attack(
      'api_ledger',
      [
        ...["state = 'closed', closed_by = 'ann', approver = 'bob', closed_at = clock_timestamp()", ...sets].map(
          (one) => `update reconciliation_day set ${one} where day = '${day}'`,
        ),
        batch(),
        move('channel:fake', 'variance:fake', 'reconciliation', '5', null),
        record('closeDay', `day fake ${day}`, { after: { tolerated } })(),
        set(`last_transfer_no = last_transfer_no + 1, ${oneBatch}, ${oneRecord}`)(),
      ],
      platform,
    );
  await close('5.00', 'tolerated = 5');
  for (const refused of [
    () => close('5.00'),
    () => close('4.00', 'tolerated = 4'),
    () => close('0.00', 'tolerated = 5'),
    () => close('5.00', 'tolerated = 5', 'tolerated = 0'),
  ])
    await expect(refused()).rejects.toThrow('are_due": false');
});
