import type { SpanFacts } from '@tidegate/domain';
import {
  type AttemptResult,
  claimNextParked,
  claimNotification,
  giveBackClaim,
  type NotificationClaim,
  type NotificationRef,
  parkAtHost,
  pauseBacklog,
  recordAttempt,
} from '@tidegate/domain/worker';
import type { DeliverySlot, Refusal } from '../delivery-slots/delivery-slots.ts';
import type { Job, JobContext, NotificationData } from './job.ts';

type Queue = 'notify' | 'retry';
type Claimed = NotificationClaim | 'paused' | null;

/** The most attempts that a job makes in a row for one backlog. Then other jobs get its place. */
const attemptsInARow = 200;
/** How long a slot that was kept after a success is reused without a new request, as long as every attempt succeeds. */
const keptForMs = 250;

/**
 * Delivers a notification for the first time. While its host then has a free slot, it delivers notifications that wait
 * in the same backlog.
 */
export const notify: Job<NotificationData> = (context, data) => deliverWithSlot(context, 'notify', data);

/** The same job for later attempts. They have their own queue, so that they never delay first attempts. */
export const retry: Job<NotificationData> = (context, data) => deliverWithSlot(context, 'retry', data);

/**
 * A notification without a slot at its host waits in the backlog there. It costs no attempt and holds no job, and is not read until a slot is free.
 * While Redis is unavailable there are no slots, and the row stays due.
 */
async function deliverWithSlot(context: JobContext, queue: Queue, data: NotificationData): Promise<string> {
  const { host, ...ref } = data;
  if (host === '') return deliverUnlimited(context, queue, ref);
  const share = context.shares[queue].takeNow(ref.merchantId);
  if (!share.ok) return waits(context, ref, 'merchant_busy');
  try {
    const backlog = { host, merchantId: ref.merchantId };
    const slot = await context.slots.enter(backlog, queue === 'notify' ? 'first' : 'retry').catch(() => null);
    if (slot === null) return 'redis_away';
    if (typeof slot === 'object') {
      // If another job has claimed this notification from the backlog, the slot is used for the next one there and is
      // not released.
      const claim = async (): Promise<Claimed> =>
        (await claimOwn(context, queue, ref)) ?? claimNext(context, queue, slot);
      return await goOn(context, queue, slot, ref, claim);
    }
    const outcome = await waits(context, ref, slot);
    if (slot === 'breaker_open') return outcome;
    // The job that just released a slot may have found an empty backlog.
    const second = await context.slots.enter(backlog, 'backlog').catch(() => null);
    if (second === null || typeof second === 'string') return outcome;
    return await goOn(context, queue, second, ref, () => claimNext(context, queue, second));
  } finally {
    share.release();
  }
}

async function waits(context: JobContext, ref: NotificationRef, why: Refusal | 'merchant_busy'): Promise<string> {
  if (!(await parkAtHost(context.domain, ref))) return 'not_due';
  context.notified(why);
  return why;
}

/**
 * Makes the attempt that `claim` returns, and then those that are next in the backlog, for as long as the slot is kept.
 * As long as attempts succeed, the next one is claimed during an attempt, and the attempt before is recorded then: the slot is the scarcest resource.
 * Two attempts of 10 s fit into the lease of a claim.
 */
async function goOn(
  context: JobContext,
  queue: Queue,
  slot: DeliverySlot,
  own: NotificationRef,
  claim: () => Promise<Claimed>,
): Promise<string> {
  const { domain, ending } = context;
  let outcome = 'not_due';
  let holds = true;
  let askedFor = Number.NEGATIVE_INFINITY;
  let ahead: Promise<Claimed> | null = null;
  let recording: Promise<string> | null = null;
  try {
    let claimed = await claim();
    for (let attemptCount = 1; claimed !== null && claimed !== 'paused'; attemptCount += 1) {
      const wantsNext = (): boolean => attemptCount < attemptsInARow && !ending.aborted;
      const isSure = (): boolean => wantsNext() && performance.now() < askedFor + keptForMs;
      ahead = isSure() ? handled(claimNext(context, queue, slot)) : null;
      const result = await attempt(context, claimed, own);
      // The next attempt begins before the previous result is stored, because storing it may have failed.
      const before = recording;
      recording = handled(recordAndLog(context, claimed, result));
      outcome = (await before) ?? outcome;
      if (!result.acknowledged || !isSure()) {
        askedFor = result.acknowledged ? performance.now() : Number.NEGATIVE_INFINITY;
        holds = await leave(context, slot, result.acknowledged ? 'delivered' : 'failed', wantsNext());
      }
      if (!holds) break;
      claimed = await (ahead ?? claimNext(context, queue, slot));
      ahead = null;
    }
    outcome = (await recording) ?? outcome;
    if (claimed !== 'paused') return outcome;
    context.notified(claimed);
    await pauseBacklog(domain, slot);
    return claimed;
  } finally {
    await recording?.catch(() => undefined);
    const unused = await ahead?.catch(() => null);
    if (unused && unused !== 'paused') await giveBackClaim(domain, unused).catch(() => undefined);
    if (holds) await leave(context, slot, 'unused', false);
  }
}

/** A promise that is awaited later must not count as an unhandled rejection. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** `deliver` rejects only if nothing was sent. */
async function attempt(
  { domain, deliver }: JobContext,
  claimed: NotificationClaim,
  own: NotificationRef,
): Promise<AttemptResult> {
  const { orderNo, status, traceparent } = claimed;
  // A notification from the backlog belongs to the trace of another order than the job.
  const isOwn = orderNo === own.orderNo && status === own.status;
  const span: SpanFacts = {
    name: 'deliver notification',
    kind: 'client',
    under: isOwn ? null : traceparent,
    attributes: { 'tidegate.order_no': orderNo, 'tidegate.order_status': status, 'tidegate.attempt': claimed.attempt },
  };
  try {
    return await domain.tracer.span(span, async (setAttributes) => {
      const result = await deliver(claimed);
      if (result.httpStatus !== null) setAttributes({ 'http.response.status_code': result.httpStatus });
      if (result.error !== null) setAttributes({ 'error.type': result.error });
      return result;
    });
  } catch (error) {
    await giveBackClaim(domain, claimed);
    throw error;
  }
}

/** Records an attempt and logs its outcome, without the endpoint's address and its reply. */
async function recordAndLog(
  { domain, notified }: JobContext,
  claimed: NotificationClaim,
  result: AttemptResult,
): Promise<'delivered' | 'retry' | 'exhausted'> {
  const outcome = await recordAttempt(domain, claimed, result);
  const { merchantId, orderNo, status, attempt: no, host } = claimed;
  const { httpStatus, error, durationMs: ms } = result;
  domain.log.info({ merchantId, orderNo, status, attempt: no, host, outcome, httpStatus, error, ms }, 'notification');
  notified(outcome);
  return outcome;
}

/** Releases the slot, or keeps it for the next of the backlog. Wakes the other backlogs at the host that can go on. Returns whether the slot is kept. */
async function leave(
  { domain, slots, backlogs }: JobContext,
  slot: DeliverySlot,
  how: 'delivered' | 'failed' | 'unused',
  wantsNext: boolean,
): Promise<boolean> {
  const { host, merchantId } = slot;
  // A slot that cannot be released expires, and `dispatch` finds the work that is not woken.
  const left = await slots.leave(slot, how, wantsNext).catch(() => null);
  if (!left) return false;
  if (left.breaker === 'opened') domain.log.warn({ host, merchantId }, 'an endpoint fails: its breaker is open');
  if (left.breaker === 'closed')
    domain.log.info({ host, merchantId }, 'an endpoint works again: its breaker is closed');
  if (left.breaker === 'closed' || (left.hasBacklog && !left.kept))
    await backlogs.wakeHost(host).catch(() => undefined);
  return left.kept;
}

/**
 * A job for first attempts leaves retries to the queue for retries. Its own notification may be one by now: `dispatch`
 * may have found it due just before its first attempt.
 */
function claimOwn({ domain }: JobContext, queue: Queue, ref: NotificationRef): Promise<Claimed> {
  return claimNotification(domain, ref, queue === 'notify');
}

/** The same in a backlog. */
function claimNext({ domain }: JobContext, queue: Queue, { host, merchantId }: DeliverySlot): Promise<Claimed> {
  return claimNextParked(domain, { host, merchantId, firstOnly: queue === 'notify' });
}

/** A URL that may not be notified has no host, so no limit applies. The attempt says why it failed. */
async function deliverUnlimited(context: JobContext, queue: Queue, ref: NotificationRef): Promise<string> {
  const claimed = await claimOwn(context, queue, ref);
  if (claimed === null) return 'not_due';
  if (claimed !== 'paused') return recordAndLog(context, claimed, await attempt(context, claimed, ref));
  context.notified(claimed);
  return claimed;
}
