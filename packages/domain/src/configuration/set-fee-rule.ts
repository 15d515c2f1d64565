import type { EntityManager, Loaded } from '@mikro-orm/postgresql';
import type { FeeRule } from '../core/fee.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { timeText } from '../core/time-text.ts';
import { FeeRuleRow, ScheduledFeeRuleRow } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/** How far the caller's clock may be behind the database's, in ms. An earlier beginning is refused. */
const clockTolerance = 60_000;
/** The most future rules of one kind and bank code. */
const maxScheduled = 20;

/** The change, for the audit record. */
export interface SetFeeRule {
  entity: object;
  /** There was no rule of this kind and bank code, now or scheduled. */
  isNew: boolean;
  /** The terms that were in force before, if the entity does not have them. */
  before?: object | null;
  after?: object;
}

type Key = { merchant: string; kind: FeeRule['kind']; bankCode: string };
type Scheduled = Loaded<InstanceType<typeof ScheduledFeeRuleRow.class>>;

/**
 * Sets a merchant's price for orders of one kind, for all bank codes or for one. It begins now or at a later moment
 * (`from`, Unix ms). Existing orders keep their terms. Later rules stay. A rule of the same moment is replaced.
 * Refusals: invalid_input, if `from` is past, or there are too many future rules.
 */
export async function setFeeRule(
  within: ChangeTransaction,
  merchantId: string,
  rule: FeeRule,
): Promise<Outcome<SetFeeRule>> {
  const { kind, percent, fixed, minimum = null, maximum = null, isRefundable = false, bankCode = '', from } = rule;
  const em = within.database.unitOfWork();
  const key = { merchant: merchantId, kind, bankCode };
  const terms = { percent, fixed, minimum, maximum, isRefundable };
  const now = (await databaseNow(em)).getTime();
  if (from !== undefined && from < now - clockTolerance) return refused('is in the past: choose a later time, or none');
  const scheduled = await em.find(ScheduledFeeRuleRow, key, { orderBy: { beginsAt: 'asc' } });
  if (from !== undefined && from > now)
    return schedule(em, scheduled, { ...key, beginsAt: new Date(from) }, terms, now);
  return { ok: true, value: await setNow(em, scheduled, key, terms, now) };
}

type Terms = Pick<Scheduled, 'percent' | 'fixed' | 'isRefundable'> & { minimum: string | null; maximum: string | null };

async function schedule(
  em: EntityManager,
  scheduled: Scheduled[],
  at: Key & { beginsAt: Date },
  terms: Terms,
  now: number,
): Promise<Outcome<SetFeeRule>> {
  const same = scheduled.find(({ beginsAt }) => beginsAt.getTime() === at.beginsAt.getTime());
  if (!same && scheduled.filter(({ beginsAt }) => beginsAt.getTime() > now).length >= maxScheduled)
    return refused(`is one too many: ${maxScheduled} rules are to begin already`);
  const { beginsAt, ...key } = at;
  const isNew = scheduled.length === 0 && (await em.count(FeeRuleRow, key)) === 0;
  const entity = same ? em.assign(same, terms) : em.create(ScheduledFeeRuleRow, { ...at, ...terms });
  await em.persist(entity).flush();
  return { ok: true, value: { entity, isNew, after: { from: timeText(beginsAt.getTime()) } } };
}

/** Rules that have begun by then are replaced by the new one. */
async function setNow(
  em: EntityManager,
  scheduled: Scheduled[],
  key: Key,
  terms: Terms,
  now: number,
): Promise<SetFeeRule> {
  const started = scheduled.filter(({ beginsAt }) => beginsAt.getTime() <= now);
  const latest = started.at(-1);
  const found = await em.findOne(FeeRuleRow, key);
  const entity = found ? em.assign(found, terms) : em.create(FeeRuleRow, { ...key, ...terms });
  const isNew = !found && scheduled.length === 0;
  em.persist(entity);
  for (const over of started) em.remove(over);
  await em.flush();
  if (!latest) return { entity, isNew };
  const { percent, fixed, minimum = null, maximum = null, isRefundable } = latest;
  return { entity, isNew, before: { percent, fixed, minimum, maximum, isRefundable } };
}

function refused(reason: string): Refused {
  return { ok: false, rejection: 'invalid_input', fields: [{ path: 'from', reason }] };
}
