import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batch, oneBatch, set, transfer } from '../../test/forged-rows.ts';
import { urlOf } from '../../test/service-roles.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import type { Order } from '../core/order.ts';
import type { PaymentDirection, PaymentUse } from '../core/payment.ts';
import { openTestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { by, placePayout } from '../testing/payouts.ts';
import { openSettlementsByChannel } from '../testing/settlements-by-channel.ts';
import { type DatabaseRole, ledgerRoles } from './role-grants.ts';

// A payment keeps the report of the same money from being booked again. So none is there without its money, whoever writes it.

const platform = 'PLATFORM-IN';
let stolen: StolenRoles;
/** Open; failed; open; settled by what operators saw. */
let payin: Order;
let failed: Order;
let payout: Order;
let seen: Order;
/** The settlement of a merchant, under its number at the channel. */
let sent: { merchantId: string; paymentNo: string };

beforeAll(async () => {
  stolen = await openStolenRoles();
  const { domain } = stolen.owner;
  const { merchantId } = stolen;
  payin = await placePayin(domain, merchantId, 'IN');
  failed = await placePayin(domain, merchantId, 'IN');
  await domain.commit(aReport(failed, { outcome: 'failed', reason: 'refused' }));
  payout = await placePayout(domain, merchantId, 'IN');
  seen = await placePayout(domain, merchantId, 'IN');
  await domain.commit(aReport(seen, { outcome: 'accepted', channelRef: 'REF' }));
  const ref = { merchantId, orderNo: seen.orderNo };
  expect(
    await domain.commit({ type: 'resolvePayout', ref, outcome: 'paid', evidence: 'a letter', by: by('ann', 'bob') }),
  ).toMatchObject({ ok: true });
  sent = await openSettlementsByChannel(() => stolen.owner).aSent();
});
afterAll(() => stolen.close());

type Payment = {
  of: string;
  direction: PaymentDirection;
  use: PaymentUse;
  amount?: string;
  reference?: string;
  line?: string;
  tenant?: string;
};
const payment = ({
  of,
  direction,
  use,
  amount = '100',
  reference = 'TO COME',
  line,
  tenant = stolen.merchantId,
}: Payment) =>
  `insert into payment (merchant_id, order_no, seq, direction, reference, channel_id, amount, use, line, received_at, batch_no)
    select merchant_id, '${of}', 1 + (select count(*) from payment p where p.merchant_id = w.merchant_id and p.order_no = '${of}'), '${direction}',
      ${use === 'evidence' ? 'null' : `'${reference}'`}, 'fake', ${amount}, '${use}', ${line ? `'${line}'` : 'null'}, now(), last_batch_no + 1
    from wallet w where merchant_id = '${tenant}'`;
const suspense = (of: Order, way: 'in' | 'out', no = 1) => {
  const [debit, credit] = way === 'in' ? ["'channel:fake'", "'suspense'"] : ["'suspense'", "'channel:fake'"];
  const about = { transfer_no: `last_transfer_no + ${no}`, amount: '100', order_no: `'${of.orderNo}'` };
  return transfer({ debit, credit, cause: `'suspense_${way}'`, ...about })();
};
const late = () =>
  `insert into money_case (merchant_id, case_no, kind, order_no, payment_order_no, reference, channel_id, currency, amount, detail, opened_at, batch_no)
    select merchant_id, last_case_no + 1, 'late', '${failed.orderNo}', '${failed.orderNo}', 'TO COME', 'fake', currency, 100, 'x', now(), last_batch_no + 1
    from wallet where merchant_id = $1`;
const counted = (transfers: number, cases = 0) =>
  set(`last_transfer_no = last_transfer_no + ${transfers}, last_case_no = last_case_no + ${cases}, ${oneBatch}`)();

/** The wallet of the tenant counts the batch of the statements. */
const attack = (role: DatabaseRole, statements: readonly string[], tenant?: string) =>
  stolen.attack(role, statements, false, tenant);

describe.each(ledgerRoles)('the role %s', (role) => {
  const refused = (rows: readonly string[], transfers = 0) =>
    expect(attack(role, [batch(), ...rows, counted(transfers)]), rows.join('; ')).rejects.toThrow(
      'does not move its money',
    );

  test('writes no payment of an order whose money has not moved', async () => {
    for (const use of ['credited', 'part', 'suspense'] as const)
      await refused([payment({ of: payin.orderNo, direction: 'in', use })]);
    for (const use of ['credited', 'unasked'] as const)
      await refused([payment({ of: payout.orderNo, direction: 'out', use })]);
    await refused([payment({ of: payout.orderNo, direction: 'back', use: 'returned' })]);
    await refused([payment({ of: 'PI0TOCOME', direction: 'in', use: 'credited' })]);
    await refused([payment({ of: payin.orderNo, direction: 'out', use: 'unasked' })]);
  });

  test('settles a payout by evidence only if operators work with it, and if its money moved', async () => {
    const evidence = payment({ of: payout.orderNo, direction: 'out', use: 'evidence' });
    const moved = [batch(), suspense(payout, 'out'), evidence, counted(1)];
    if (role === 'api_ledger') await refused([evidence]);
    else await expect(attack(role, moved)).rejects.toThrow('only operators settle by evidence');
  });

  test('writes one payment of what moved, with its amount and direction', async () => {
    const of = failed.orderNo;
    const booked = [suspense(failed, 'in'), payment({ of, direction: 'in', use: 'suspense' })];
    await attack(role, [batch(), ...booked, late(), counted(1, 1)]);
    await refused([...booked, payment({ of, direction: 'in', use: 'suspense', reference: 'ANOTHER' })], 1);
    await refused([suspense(failed, 'in'), payment({ of, direction: 'in', use: 'suspense', amount: '101' })], 1);
    await refused([suspense(failed, 'in'), payment({ of, direction: 'out', use: 'unasked' })], 1);
    // Before its transfer, or with a transfer that takes the money back.
    await refused([payment({ of, direction: 'in', use: 'suspense' }), suspense(failed, 'in')], 1);
    if (role !== 'api_ledger')
      await refused(
        [suspense(failed, 'in'), suspense(failed, 'out', 2), payment({ of, direction: 'in', use: 'suspense' })],
        2,
      );
  });

  test('confirms only what was booked for a line of a statement, once', async () => {
    const of = failed.orderNo;
    const line = '1/1/0';
    await refused([payment({ of, direction: 'in', use: 'confirmed' })]);
    await refused([payment({ of, direction: 'in', use: 'confirmed', line })]);
    const shown = [suspense(failed, 'in'), payment({ of, direction: 'in', use: 'suspense', line })];
    const confirmed = payment({ of, direction: 'in', use: 'confirmed', line });
    await attack(role, [batch(), ...shown, late(), confirmed, counted(1, 1)]);
    await refused([...shown, payment({ of, direction: 'in', use: 'confirmed', line, amount: '99' })], 1);
    await refused(
      [...shown, confirmed, payment({ of, direction: 'in', use: 'confirmed', line, reference: 'ANOTHER' })],
      1,
    );
  });

  test('has the first report of a payout that operators settled move only what differs', async () => {
    const report = (amount: string, reference = 'TO COME') =>
      payment({ of: seen.orderNo, direction: 'out', use: 'credited', amount, reference });
    await attack(role, [batch(), report('100'), counted(0)]);
    await refused([report('99')]);
    await refused([report('101')]);
    await refused([report('100'), report('100', 'ANOTHER')]);
  });

  test('writes no payment of no order without a case, nor of a settlement', async () => {
    const said = 'neither a case nor a settlement has its money';
    const unknown = { of: 'UNKNOWN', tenant: platform } as const;
    for (const one of [
      { ...unknown, direction: 'in', use: 'suspense' },
      { ...unknown, direction: 'out', use: 'unasked' },
      { ...unknown, direction: 'back', use: 'returned' },
      { ...unknown, direction: 'in', use: 'confirmed', line: '1/1/0' },
    ] as const)
      await expect(attack(role, [batch(), payment(one), counted(0)], platform), one.use).rejects.toThrow(said);
    const ofSettlement = { of: sent.paymentNo, tenant: sent.merchantId } as const;
    for (const one of [
      { ...ofSettlement, direction: 'out', use: 'unasked', amount: '50' },
      { ...ofSettlement, direction: 'out', use: 'credited', amount: '51' },
      { ...ofSettlement, direction: 'out', use: 'part', amount: '20' },
      { ...ofSettlement, direction: 'back', use: 'returned', amount: '50' },
      { ...ofSettlement, of: 'SP0NOWHERE', direction: 'out', use: 'credited', amount: '50' },
    ] as const)
      await expect(attack(role, [batch(), payment(one), counted(0)], sent.merchantId), one.use).rejects.toThrow(said);
    const whole = { ...ofSettlement, direction: 'out', use: 'credited', amount: '50' } as const;
    const shown = payment({ ...whole, line: '1/1/0' });
    await expect(attack(role, [batch(), shown, counted(0)], sent.merchantId)).rejects.toThrow(said);
    const done = attack(role, [batch(), payment(whole), counted(0)], sent.merchantId);
    if (role === 'rest_ledger') await expect(done).rejects.toThrow(said);
    else await done;
  });
});

test('so the report of a payment that came is booked', async () => {
  const rest = await openTestDomain(urlOf(stolen.url, 'rest'), {
    hasChannel: true,
    databaseLedgerUrl: urlOf(stolen.url, 'rest_ledger'),
  });
  try {
    const forged = payment({ of: payin.orderNo, direction: 'in', use: 'suspense' });
    await expect(stolen.attack('rest_ledger', [batch(), forged, counted(0)], true)).rejects.toThrow();
    const credited = await rest.domain.commit(aReport(payin, paid('TO COME')));
    expect(credited).toMatchObject({ ok: true, order: { status: 'completed' } });
  } finally {
    await rest.close();
  }
});
