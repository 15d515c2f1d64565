import type { Within } from '../ledger/index.ts';

/** Who asks, and under which key: 1 to 64 characters that make the request happen once, however often it comes. */
export interface ResendRequest {
  merchantId: string;
  requestKey: string;
  requestedBy: string;
}

/** How many notifications the request named, and for how many a new round begins; the others wait for their first attempt, or one runs right now. */
export interface Resent {
  matched: number;
  putBack: number;
  /** The key had come before: these are that request's figures, and nothing was done now. */
  repeated: boolean;
}

export type ResendRejection = 'notification_not_found' | 'too_many_notifications' | 'request_key_taken';
export type ResendResult = { ok: true; value: Resent } | { ok: false; rejection: ResendRejection };

/** The most that one request may put back. */
const resendLimit = 10_000;

interface Row extends Omit<Resent, 'repeated'> {
  known: { same: boolean; matched: number; putBack: number } | null;
}

/**
 * Begins a new round of the schedule for the notifications `n` of the merchant that `filter` names (SQL over `values`, which are $6 and on), all or
 * none. In one statement, so that of two requests that race one puts each notification back.
 */
export async function requestResend(
  within: Within,
  { merchantId, requestKey, requestedBy }: ResendRequest,
  asked: object,
  { filter, values }: { filter: string; values: unknown[] },
): Promise<ResendResult> {
  const { rows } = await within.database.pool.query<Row>(resendSql(filter), [
    ...[merchantId, requestKey, JSON.stringify(asked), requestedBy, resendLimit],
    ...values,
  ]);
  const { known, matched, putBack } = rows[0] as Row;
  if (known && !known.same) return { ok: false, rejection: 'request_key_taken' };
  if (known) return { ok: true, value: { matched: known.matched, putBack: known.putBack, repeated: true } };
  if (matched === 0) return { ok: false, rejection: 'notification_not_found' };
  if (matched > resendLimit) return { ok: false, rejection: 'too_many_notifications' };
  return { ok: true, value: { matched, putBack, repeated: false } };
}

// What waits for the first attempt of its round is on its way already, and so is what was claimed and has no result yet. What is put
// back goes to the line at its host: many of them are nobody else's delay. One that was delivered or exhausted before keeps back no newer one (decisions 7.3).
const resendSql = (filter: string): string => `with known as (
    select asked = $3::jsonb as same, matched, put_back as "putBack" from notification_resend where merchant_id = $1 and request_key = $2),
  named as materialized (
    select n.order_no, n.status from notification n
    where n.merchant_id = $1 and (${filter}) and not exists (select from known) limit $5 + 1),
  counted as (select count(*)::integer as matched from named),
  put as (
    update notification n set state = 'pending', held_by = case when n.host = '' then null else 'host' end, earlier_attempts = n.attempt,
      is_repeat = n.is_repeat or n.state <> 'pending', next_attempt_at = clock_timestamp(), delivered_at = null
    from named, counted
    where counted.matched <= $5 and n.merchant_id = $1 and n.order_no = named.order_no and n.status = named.status
      and (n.state <> 'pending' or (n.attempt > n.earlier_attempts and exists (
        select from notification_attempt a where a.merchant_id = n.merchant_id and a.order_no = n.order_no and a.status = n.status
          and a.attempt = n.attempt)))
    returning n.order_no),
  kept as (
    insert into notification_resend (merchant_id, request_key, asked, matched, put_back, requested_by)
    select $1, $2, $3::jsonb, matched, (select count(*) from put), $4 from counted where matched between 1 and $5)
  select matched, (select count(*)::integer from put) as "putBack", (select row_to_json(known) from known) as known from counted`;
