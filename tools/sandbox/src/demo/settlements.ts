import { waitUntil } from '../wait-until.ts';
import { type ChannelDay, dayAgo } from './channel-days.ts';
import { leaveClosedDay } from './closed-day.ts';
import type { Demo, OpenWork } from './demo-orders.ts';
import { changeByTwo } from './two-operators.ts';

const country = 'TH';
const channelId = 'bangkok-transfer';
/** So many days that at least one bank working day lies between the closed day and today, even around holidays. */
const daysAgo = 10;

const merchants = [
  { merchantId: 'TH10011', name: 'Chao Phraya Books', amounts: ['1250.00', '480.00', '2300.00'] },
  { merchantId: 'TH10012', name: 'Andaman Diving', amounts: ['3900.00', '3900.00'] },
  { merchantId: 'TH10013', name: 'Chiang Mai Silver', amounts: ['725.50', '1890.00'] },
] as const;
const [draft, toPay, paid] = merchants;

/** An invented bank account. */
const accountOf = (holder: string, ending: string) => ({
  holder,
  number: `TH00 0002 0000 ${ending}`,
  bank: 'BKKBTHBK',
});

/**
 * Leaves three settlements of a closed day: a draft that waits for its approval, one that is to be paid, and one that
 * is in a bank file. Each has a merchant of its own. Done once per sandbox. `keys` is its key ring.
 */
export async function leaveSettlements(demo: Demo, keys: string): Promise<OpenWork[]> {
  if (await isThere(demo)) return [];
  const day: ChannelDay = { country, channelId, day: dayAgo(country, daysAgo) };
  await leaveClosedDay(demo, keys, day, merchants);
  for (const [nth, { merchantId, name }] of merchants.entries()) {
    const account = accountOf(name, `411${nth + 1}`);
    const input = { merchantId, workingDays: 1, minimum: '100.00', beginsOn: day.day, account };
    await changeByTwo(demo, { name: 'setSettlementCycle', input, reason: 'Contract with the merchant' });
  }
  const drafts = await draftAll(demo);
  if (drafts === null) return [{ where: 'Settlements', what: 'TH: no working day to draft on is known', orderNo: '–' }];
  const approve = (merchantId: string) => ({
    name: 'approveSettlement',
    input: { merchantId, settlementNo: drafts.get(merchantId) },
    reason: 'The day is closed',
  });
  await changeByTwo(demo, approve(paid.merchantId));
  await changeByTwo(demo, {
    name: 'createSettlementFile',
    input: { country, account: accountOf('Tidegate', '9001') },
    reason: 'Payments of today',
  });
  await changeByTwo(demo, approve(toPay.merchantId));
  const { input, reason } = approve(draft.merchantId);
  await demo.approver.mutate('approveSettlement', 'ApproveSettlementInput', { input, reason });
  return [
    {
      where: 'Settlements, Approvals',
      what: `Draft for ${draft.name}, which waits for a second operator`,
      orderNo: '–',
    },
    { where: 'Settlements', what: `To pay: ${toPay.name}`, orderNo: '–' },
    { where: 'Settlements', what: `In a bank file, to confirm: ${paid.name}`, orderNo: '–' },
  ];
}

async function isThere({ admin }: Demo): Promise<boolean> {
  const query = 'query ($merchantId: String!) { merchant(merchantId: $merchantId) { merchantId } }';
  return (await admin<{ merchant: object | null }>(query, { merchantId: draft.merchantId })).merchant !== null;
}

/**
 * Drafts the settlements of the newest bank working day; returns their numbers by merchant. Null if no such day is
 * known.
 */
async function draftAll({ admin }: Demo): Promise<Map<string, string> | null> {
  for (let ago = 0; ago < daysAgo; ago += 1) {
    const input = { country, day: dayAgo(country, ago) };
    let drafts = new Map<string, string>();
    let mayRun = true;
    const isDrafted = async () => {
      mayRun = await runs(admin, input);
      drafts = await dueDrafts(admin);
      return !mayRun || drafts.size === merchants.length;
    };
    // Retried: the reconciliation may not have seen the newest rows at the first run.
    await waitUntil('drafts of settlements', isDrafted, { timeoutMs: 60_000, everyMs: 500 });
    if (mayRun) return drafts;
  }
  return null;
}

async function runs(admin: Demo['admin'], input: object): Promise<boolean> {
  const query = `mutation ($input: DraftSettlementsInput!, $reason: String!) {
    draftSettlements(input: $input, reason: $reason) { ... on DraftSettlementsPayload { settlementNos } } }`;
  const { draftSettlements } = await admin<{ draftSettlements: { settlementNos?: string[] } }>(query, {
    input,
    reason: 'Run of the day',
  });
  return (draftSettlements.settlementNos ?? []).length > 0;
}

/** The numbers of the drafts with an amount above zero, by merchant. */
async function dueDrafts(admin: Demo['admin']): Promise<Map<string, string>> {
  const query = `query ($filter: SettlementFilter) { settlements(first: 10, filter: $filter) {
    edges { node { merchantId settlementNo amount } } } }`;
  interface Answer {
    settlements: { edges: { node: { merchantId: string; settlementNo: string; amount: string } }[] };
  }
  const filter = { merchantIds: merchants.map(({ merchantId }) => merchantId), states: ['DRAFT'] };
  const { settlements } = await admin<Answer>(query, { filter });
  const due = settlements.edges.map(({ node }) => node).filter(({ amount }) => amount !== '0.00');
  return new Map(due.map(({ merchantId, settlementNo }) => [merchantId, settlementNo]));
}
