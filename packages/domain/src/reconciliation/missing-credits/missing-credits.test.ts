import { beforeEach, expect, test } from 'vitest';
import { creditCase, returnCase } from '../../cases/index.ts';
import { setChannel } from '../../channels/set-channel.ts';
import type { ChannelAnswer } from '../../core/channel-answer.ts';
import type { Order } from '../../core/order.ts';
import { bookWallet, reversalCommand } from '../../ledger/book-wallet.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { unrestricted } from '../../lists/scope.ts';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aMerchant } from '../../testing/index.ts';
import { aTopUp, paid, placePayin } from '../../testing/payins.ts';
import { by } from '../../testing/payouts.ts';
import { wholeScansOf } from '../../testing/plans.ts';
import { moveEntriesTo } from '../../testing/settlements.ts';
import { aLine, anImport, backdateLedger, dayAgo, noSummary, reconcileAll } from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import { closeDay } from '../days/close-day.ts';
import { loadBreakOutcomes } from '../list-breaks.ts';
import { heldCreditsSql } from './queries.ts';

// What a merchant was credited of money that never came is held, or charged, once: however many breaks it has.

const country = 'TH';
const tenant = 'PLATFORM-TH';
const agreed = by('ann', 'bob');
const heldSum = `select coalesce(sum(held), 0.00)::text as held from (${heldCreditsSql}) h`;
const fixture = auditedDomain();
let merchantId: string;
let channelId: string;
let channels = 0;
beforeEach(async () => {
  channels += 1;
  channelId = `missing-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  ({ merchantId } = await aMerchant(fixture.domain, country));
});

const report = async (order: Order, ...answers: ChannelAnswer[]): Promise<void> => {
  for (const answer of answers)
    await fixture.domain.commit({ type: 'applyReport', ref: order, channelId, answer, during: 'callback' });
};
const part = (reference: string, amount: string): ChannelAnswer => ({
  outcome: 'part_paid',
  payments: [{ reference, amount }],
});

interface Found {
  breakNo: number;
  amount: string;
  state: string;
  answers: number | null;
}
async function breaks(): Promise<Found[]> {
  const { rows } = await fixture.domain.database.pool.query<Found>(
    `select break_no::integer as "breakNo", amount::text as amount, state, answers::integer as answers from reconciliation_break
     where channel_id = $1 and kind <> 'fee' order by break_no`,
    [channelId],
  );
  return rows;
}
const line = (changes: Partial<Parameters<typeof aLine>[0]>, daysAgo: number) =>
  aLine({ currency: 'THB', bookedOn: dayAgo(country, daysAgo), ...changes });
async function imported(row: object): Promise<void> {
  await anImport(fixture.domain, country, [row], channelId);
  await reconcileAll(fixture.domain);
}
/** A statement of that day that shows none of what the ledger has. */
const showsNothing = (daysAgo: number) => {
  const charged = { type: 'fee', direction: 'out', gross: '1.00', net: '1.00' } as const;
  return imported(line({ ...charged, bankRef: `F-${channelId}` }, daysAgo));
};
const ends = async (breakNo: number, outcome: BreakOutcome) => {
  const ended = await resolveBreak(
    fixture.domain,
    { merchantId: tenant, breakNo, outcome, otherBreakNo: null },
    agreed,
  );
  await reconcileAll(fixture.domain);
  return ended.ok ? 'ended' : ended.rejection;
};
const endAll = async (outcome: BreakOutcome) => {
  const ended: string[] = [];
  for (const { breakNo } of await breaks()) ended.push(await ends(breakNo, outcome));
  return ended;
};
const held = async () =>
  (await fixture.domain.database.pool.query<{ held: string }>(heldSum, [merchantId])).rows[0]?.held;
const available = async () => (await readWallet(fixture.domain, merchantId)).available;

test('two parts of one order are held and charged together, at most what the order brought', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, part('P-1', '60.00'), part('P-2', '40.00'));
  expect(await available()).toBe('97.50');
  await backdateLedger(fixture.domain, 2);
  await showsNothing(2);
  expect((await breaks()).map(({ amount }) => amount).sort()).toEqual(['-40.00', '-60.00']);
  expect(await endAll('posted')).toEqual(['ended', 'ended']);
  expect(await held()).toBe('97.50');
  expect(await endAll('charged')).toEqual(['ended', 'ended']);
  expect([await available(), await held()]).toEqual(['0.00', '0.00']);
});

test('what two breaks of one order charged is given back in parts, also much later', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid('P-1'));
  await backdateLedger(fixture.domain, 60);
  await showsNothing(60);
  expect(await endAll('charged')).toEqual(['ended']);
  expect(await available()).toBe('0.00');
  await imported(line({ gross: '60.00', channelRef: 'P-1' }, 1));
  const [missing, late] = await breaks();
  expect(late).toMatchObject({ amount: '60.00', answers: missing?.breakNo });
  expect(await ends(late?.breakNo ?? 0, 'posted')).toBe('ended');
  // As if the line had been over 60.00 from the beginning: the wallet has paid the 40.00 that are missing.
  expect([await available(), (await breaks()).map(({ state }) => state)]).toEqual(['57.50', ['charged', 'posted']]);
});

test('a top-up that was reversed is neither held nor charged', async () => {
  const { domain } = fixture;
  const topUp = { ...aTopUp(merchantId, `T-${channelId}`, '50.00'), channelId };
  expect(await bookWallet(domain, topUp, agreed)).toMatchObject({ ok: true });
  await moveEntriesTo(domain, merchantId, `${dayAgo(country, 2)}T05:00:00Z`);
  await showsNothing(2);
  const [missing] = await breaks();
  expect(await ends(missing?.breakNo ?? 0, 'posted')).toBe('ended');
  expect(await held()).toBe('50.00');
  const reversal = { merchantId, bookingNo: topUp.bookingNo, remark: 'a mistake' };
  expect(await domain.commit(reversalCommand(reversal, agreed))).toMatchObject({ ok: true });
  expect(await held()).toBe('0.00');
  expect(await ends(missing?.breakNo ?? 0, 'charged')).toBe('break_not_resolvable');
});

test('money that was credited from a case is held like any other, and money that waits in a case is not', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid('P-1'), paid('P-2', '30.00'), paid('P-3', '20.00'));
  const credited = await creditCase(fixture.domain, { merchantId, caseNo: 1 }, { toMerchantId: merchantId }, agreed);
  expect(credited).toMatchObject({ ok: true });
  expect(await available()).toBe('127.50');
  await backdateLedger(fixture.domain, 2);
  await showsNothing(2);
  expect(await endAll('posted')).toEqual(['ended', 'ended', 'ended']);
  expect(await held()).toBe('127.50');
});

test('the rest of a case that is credited as well is held and charged with what the order took', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, { outcome: 'failed', reason: 'no' }, paid('P-1', '120.00'));
  const credit = (caseNo: number, to = {}) => creditCase(fixture.domain, { merchantId, caseNo }, to, agreed);
  expect(await credit(1)).toMatchObject({ ok: true });
  await backdateLedger(fixture.domain, 2);
  await showsNothing(2);
  expect(await endAll('posted')).toEqual(['ended']);
  expect(await held()).toBe('97.50');
  expect(await credit(2, { toMerchantId: merchantId })).toMatchObject({ ok: true });
  expect([await available(), await held()]).toEqual(['117.50', '117.50']);
  expect(await endAll('charged')).toEqual(['ended']);
  expect([await available(), await held()]).toEqual(['0.00', '0.00']);
});

test('money of which a line was written off before its report is neither held nor charged', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await showsNothing(0);
  await imported(line({ bankRef: 'B-1', orderNo: payin.orderNo }, 0));
  expect(await endAll('written_off')).toEqual(['ended']);
  await report(payin, paid('P-1'));
  await reconcileAll(fixture.domain);
  const [shown, reported] = await breaks();
  expect(reported).toMatchObject({ amount: '-100.00', answers: shown?.breakNo });
  expect(await ends(reported?.breakNo ?? 0, 'charged')).toBe('break_not_resolvable');
  expect(await ends(reported?.breakNo ?? 0, 'posted')).toBe('ended');
  expect([await available(), await held()]).toEqual(['97.50', '0.00']);
});

test('what a corrected line shows after all is neither held nor charged', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid('P-1'));
  await imported(line({ gross: '70.00', channelRef: 'P-1' }, 0));
  expect(await endAll('posted')).toEqual(['ended']);
  expect(await held()).toBe('30.00');
  await imported(line({ gross: '90.00', channelRef: 'P-1' }, 0));
  const [missing, correction] = await breaks();
  expect(await ends(correction?.breakNo ?? 0, 'posted')).toBe('ended');
  expect(await held()).toBe('10.00');
  await imported(line({ gross: '100.00', channelRef: 'P-1' }, 0));
  expect(await ends((await breaks())[2]?.breakNo ?? 0, 'posted')).toBe('ended');
  expect([await held(), await ends(missing?.breakNo ?? 0, 'charged')]).toEqual(['0.00', 'break_not_resolvable']);
});

test('a line that shows charged money, and is corrected before operators post it, gives the charge back', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid('P-1'));
  await showsNothing(0);
  expect(await endAll('charged')).toEqual(['ended']);
  expect(await available()).toBe('0.00');
  await imported(line({ gross: '60.00', channelRef: 'P-1' }, 0));
  await imported(line({ gross: '40.00', channelRef: 'P-1' }, 0));
  const [charged, replaced, shown] = await breaks();
  expect([replaced?.state, shown]).toEqual(['matched', expect.objectContaining({ answers: charged?.breakNo })]);
  expect([await ends(shown?.breakNo ?? 0, 'posted'), await available()]).toEqual(['ended', '37.50']);
});

test.each([
  ['the line that showed a part of it', ['charged']],
  ['the line that answered the charge', ['charged', 'posted']],
])('what a correction of %s shows after a charge goes back to the wallet', async (_, outcomes) => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid('P-1'));
  const [first, second] = outcomes;
  if (second) {
    await showsNothing(0);
    expect(await endAll(first as BreakOutcome)).toEqual(['ended']);
  }
  await imported(line({ gross: '70.00', channelRef: 'P-1' }, 0));
  const last = async () => (await breaks()).at(-1)?.breakNo ?? 0;
  expect(await ends(await last(), outcomes.at(-1) as BreakOutcome)).toBe('ended');
  expect(await available()).toBe('67.50');
  await imported(line({ gross: '90.00', channelRef: 'P-1' }, 0));
  expect(await ends(await last(), 'posted')).toBe('ended');
  expect(await available()).toBe('87.50');
});

/** Money of the platform. Resolves to the number of its case. */
async function unmatched(reference: string, amount: string): Promise<number> {
  const money = { channelId, orderNo: 'PI9', reference, amount, direction: 'in' } as const;
  await fixture.domain.commit({ type: 'bookUnmatched', merchantId: tenant, ...money });
  const { rows } = await fixture.domain.database.pool.query<{ caseNo: number }>(
    'select max(case_no)::integer as "caseNo" from money_case where merchant_id = $1',
    [tenant],
  );
  return rows[0]?.caseNo ?? 0;
}
const outcomes = async () => {
  const refs = (await breaks()).map(({ breakNo }) => ({ merchantId: tenant, breakNo }));
  return loadBreakOutcomes(fixture.domain, unrestricted, refs);
};

test('money of the platform that a wallet was credited, and that never came, is held and charged', async () => {
  const { domain } = fixture;
  const [caseNo, other] = [await unmatched('U-1', '40.00'), await unmatched('U-2', '40.00')];
  await backdateLedger(domain, 2);
  await showsNothing(2);
  // As long as it is in no wallet, nobody can be charged.
  const uncredited = ['linked', 'posted', 'written_off'];
  expect(await outcomes()).toEqual([uncredited, uncredited]);
  expect(await ends((await breaks())[0]?.breakNo ?? 0, 'posted')).toBe('ended');
  expect([await outcomes(), await held()]).toEqual([[[], uncredited], '0.00']);
  const to = { toMerchantId: merchantId, alsoCaseNos: [other] };
  expect(await creditCase(domain, { merchantId: tenant, caseNo }, to, agreed)).toMatchObject({ ok: true });
  await reconcileAll(domain);
  expect([await held(), await outcomes()]).toEqual([
    '40.00',
    [
      ['written_off', 'charged'],
      ['linked', 'posted', 'written_off', 'charged'],
    ],
  ]);
  expect(await endAll('charged')).toEqual(['ended', 'ended']);
  expect([await available(), await held(), await outcomes()]).toEqual(['0.00', '0.00', [[], []]]);
});

test('money of the platform that completed an order is held up to what the order brought', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, { outcome: 'failed', reason: 'no' });
  const caseNo = await unmatched('U-3', '100.00');
  await backdateLedger(fixture.domain, 2);
  const to = { orderNo: payin.orderNo };
  expect(await creditCase(fixture.domain, { merchantId: tenant, caseNo }, to, agreed)).toMatchObject({ ok: true });
  await showsNothing(2);
  expect(await outcomes()).toEqual([['linked', 'posted', 'written_off', 'charged']]);
  expect(await endAll('posted')).toEqual(['ended']);
  expect(await held()).toBe('97.50');
  expect(await endAll('charged')).toEqual(['ended']);
  expect([await available(), await held()]).toEqual(['0.00', '0.00']);
  // Its line comes after all.
  await imported(line({ gross: '100.00', channelRef: 'U-3' }, 1));
  expect(await ends((await breaks())[1]?.breakNo ?? 0, 'posted')).toBe('ended');
  expect(await available()).toBe('97.50');
});

test('money of which the case was returned for a report of it is held and charged, if its line is gone', async () => {
  const { domain } = fixture;
  const day = dayAgo(country, 0);
  const fee = (no: number) =>
    line({ type: 'fee', direction: 'out', gross: '1.00', channelRef: `F${no}-${channelId}` }, 0);
  const shows = async (closing: string, ...lines: readonly object[]): Promise<void> => {
    const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing };
    await anImport(domain, country, [...lines, summary], channelId);
    await reconcileAll(domain);
  };
  const ofMoney = async () =>
    (await breaks()).filter(({ amount, state }) => amount.includes('100.00') && state === 'open');
  await shows('99.00', fee(1), line({ channelRef: `L-${channelId}` }, 0));
  expect(await ends((await ofMoney())[0]?.breakNo ?? 0, 'posted')).toBe('ended');
  const payin = await placePayin(domain, merchantId, country, { channelId });
  await report(payin, paid(`P-${channelId}`));
  const { rows } = await domain.database.pool.query<{ no: number }>(
    'select case_no::integer as no from money_case where channel_id = $1',
    [channelId],
  );
  const caseNo = rows[0]?.no ?? 0;
  expect(await returnCase(domain, { merchantId: tenant, caseNo }, 'by_hand', agreed)).toMatchObject({ ok: true });
  await reconcileAll(domain);
  const [one, other] = await ofMoney();
  expect([one?.amount, other?.amount].sort()).toEqual(['-100.00', '100.00']);
  const link = { breakNo: one?.breakNo ?? 0, outcome: 'linked', otherBreakNo: other?.breakNo ?? 0 } as const;
  expect(await resolveBreak(domain, { merchantId: tenant, ...link }, agreed)).toMatchObject({ ok: true });
  await reconcileAll(domain);
  expect([await ofMoney(), await held()]).toEqual([[], '0.00']);
  await shows('-2.00', fee(1), fee(2));
  const [gone] = await ofMoney();
  expect(gone).toMatchObject({ amount: '-100.00' });
  expect(await ends(gone?.breakNo ?? 0, 'posted')).toBe('ended');
  expect(await held()).toBe('97.50');
  expect(await ends(gone?.breakNo ?? 0, 'charged')).toBe('ended');
  expect([await available(), await held()]).toEqual(['0.00', '0.00']);
});

test('a credit whose line a late file withdraws is held before anybody decides, if its day is closed', async () => {
  const { domain } = fixture;
  const [payin, other] = [
    await placePayin(domain, merchantId, country, { channelId }),
    await placePayin(domain, merchantId, country, { channelId }),
  ];
  await report(payin, paid(`W-${channelId}`));
  await report(other, paid(`O-${channelId}`));
  await backdateLedger(domain, 2);
  const day = dayAgo(country, 2);
  const shows = async (closing: string, ...lines: readonly object[]): Promise<void> => {
    await anImport(
      domain,
      country,
      [...lines, { ...noSummary, from: day, to: day, opening: '0.00', closing }],
      channelId,
    );
    await reconcileAll(domain);
  };
  const [its, common] = [line({ channelRef: `W-${channelId}` }, 2), line({ channelRef: `O-${channelId}` }, 2)];
  await shows('200.00', its, common);
  expect(await closeDay(domain, { country, channelId, day }, agreed)).toMatchObject({ ok: true });
  expect([await breaks(), await held()]).toEqual([[], '0.00']);
  await shows('105.00', common, line({ channelRef: `X-${channelId}`, gross: '5.00' }, 2));
  expect((await breaks()).map(({ amount }) => amount).sort()).toEqual(['-100.00', '5.00']);
  expect(await held()).toBe('97.50');
});

test('what is held of a merchant is found by indexes', async () => {
  const whole = await wholeScansOf(fixture.domain, { text: heldCreditsSql, values: [merchantId] });
  // Of tables as small as these, the one of all open breaks is as good.
  expect(whole.filter((line) => !line.includes('reconciliation_break_waiting'))).toEqual([]);
});
