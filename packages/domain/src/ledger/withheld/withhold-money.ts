import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { Reading } from '../../database/reading.ts';
import { unrestricted } from '../../lists/scope.ts';
import {
  type ChangeAccess,
  type ChangeTransaction,
  changeConfiguration,
  platformTenant,
} from '../change-configuration.ts';
import { readAccountBalances } from '../list-account-balances.ts';
import {
  beginWithholdingSql,
  goOnWithholdingSql,
  nextMerchantsSql,
  releaseSql,
  sumWithheldSql,
  withholdSql,
} from './queries.ts';

/** What is withheld of one channel's money for a merchant. Decimal text. */
export interface Withheld {
  merchantId: string;
  withheld: string;
}

/** The platform's own tenants pay nothing out. */
const isMerchant = ({ merchantId }: { merchantId: string | null }): boolean =>
  merchantId !== null && !merchantId.startsWith('PLATFORM');

/** The most merchants whose balances one query reads, and whose wallets one change holds. */
const stepSizes = { read: 500, held: 100 };

/**
 * Says that the money of a channel is withheld. From the commit on no merchant that has some of it pays anything out,
 * until `withholdAll` has come to it.
 */
export async function beginWithholding({ database }: ChangeTransaction, channelId: string): Promise<void> {
  await database.pool.query(beginWithholdingSql, [channelId]);
}

/**
 * Holds back, merchant by merchant, what a channel was said to have received, less what it returned: no payout and no
 * settlement can use it. Fees are part of it, so it is never too little. Each step is a change of its own, with its
 * record. If it ends early, the payouts of the others stay stopped until it is begun again.
 */
export async function withholdAll(
  domain: ChangeAccess,
  channelId: string,
  { actor, approver, reason }: Decision,
): Promise<Outcome<Withheld[]>> {
  const all: Withheld[] = [];
  for (let step: Step = { through: '', merchantIds: [], isLast: false }; !step.isLast; ) {
    step = await nextStep(domain, channelId, step.through);
    const done = await withholdStep(domain, channelId, step, { actor, approver, reason });
    if (!done.ok) return done;
    all.push(...done.value);
  }
  return { ok: true, value: all };
}

/** The merchants of one change, and up to which one all others have no money of the channel. */
interface Step {
  through: string;
  merchantIds: string[];
  isLast: boolean;
}

async function nextStep({ database }: DatabaseAccess, channelId: string, after: string): Promise<Step> {
  for (let through = after; ; ) {
    const { rows } = await database.pool.query<{ merchantId: string }>(nextMerchantsSql, [through, stepSizes.read]);
    const ids = rows.map(({ merchantId }) => merchantId);
    const received = ids.length === 0 ? [] : await receivedBy(database.pool, channelId, ids);
    const owed = new Set(received.map(({ merchantId }) => merchantId));
    const inOrder = ids.filter((id) => owed.has(id));
    const merchantIds = inOrder.slice(0, stepSizes.held);
    const isCut = merchantIds.length < inOrder.length;
    through = (isCut ? merchantIds.at(-1) : ids.at(-1)) ?? through;
    const isLast = !isCut && ids.length < stepSizes.read;
    if (merchantIds.length > 0 || isLast) return { through, merchantIds, isLast };
  }
}

function withholdStep(
  domain: ChangeAccess,
  channelId: string,
  { through, merchantIds, isLast }: Step,
  by: Decision,
): Promise<Outcome<Withheld[]>> {
  const named = { tenant: platformTenant, change: 'withdrawDeclaration', alsoHeld: merchantIds };
  return changeConfiguration<Withheld[]>(domain, named, by, async (within) => {
    const withheld = await withholdMoney(within, channelId, merchantIds);
    await within.database.pool.query(goOnWithholdingSql, [channelId, through, isLast]);
    return { ok: true, value: { subject: channelId, after: { withheld, isLast }, value: withheld } };
  });
}

/** Runs under the locks of their wallets. */
async function withholdMoney(
  { database }: ChangeTransaction,
  channelId: string,
  merchantIds: readonly string[],
): Promise<Withheld[]> {
  if (merchantIds.length === 0) return [];
  const received = await receivedBy(database.pool, channelId, merchantIds);
  const [ids, amounts] = [received.map(({ merchantId }) => merchantId), received.map(({ amount }) => amount)];
  const { rows } = await database.pool.query<Withheld>(withholdSql, [channelId, ids, amounts]);
  await database.pool.query(sumWithheldSql, [ids]);
  return rows;
}

/** Releases withheld money, after it was corrected or turned out to be real. Null: less is withheld. */
export async function releaseMoney(
  { database }: ChangeTransaction,
  { merchantId, channelId, amount }: { merchantId: string; channelId: string; amount: string },
): Promise<Withheld | null> {
  const { rows } = await database.pool.query<Withheld>(releaseSql, [merchantId, channelId, amount]);
  await database.pool.query(sumWithheldSql, [[merchantId]]);
  return rows[0] ? { merchantId, withheld: rows[0].withheld } : null;
}

async function receivedBy(
  reading: Pick<Reading, 'query'>,
  channelId: string,
  merchantIds: readonly string[],
): Promise<{ merchantId: string; amount: string }[]> {
  const filter = { accounts: [`channel:${channelId}`], merchantIds: [...merchantIds] };
  // A merchant has one currency.
  const byMerchant = { byMerchant: true, limit: stepSizes.read };
  const balances = await readAccountBalances({ database: { reading } }, unrestricted, filter, byMerchant);
  // A channel that holds money for us is below zero.
  return balances.filter(isMerchant).flatMap(({ merchantId, balance }) => {
    const isOwed = merchantId !== null && balance.startsWith('-');
    return isOwed ? [{ merchantId, amount: balance.slice(1) }] : [];
  });
}
