import type { Within } from '../ledger/index.ts';
import { resendSql } from './statements.ts';

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
