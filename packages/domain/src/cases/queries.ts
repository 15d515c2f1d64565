import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf } from '../database/columns.ts';
import { RefundRow } from '../database/entities/ledger.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';

/** The last refund of each of these cases (merchants, numbers). `place`: which of them it belongs to, from 1. */
export function lastRefundsSql(orm: MikroORM, keys: { merchants: string; numbers: string }, scope: Scope, add: Add) {
  return `select ${columnsOf(orm, RefundRow)}, k.place::integer
    from unnest(${keys.merchants}::text[], ${keys.numbers}::bigint[]) with ordinality as k(m, n, place)
    cross join lateral (select * from refund r where r.merchant_id = k.m and r.case_no = k.n order by r.created_at desc limit 1) t
    ${whereAll(withinScope(scope, 't.merchant_id', add))}`;
}

/**
 * How many refunds wait for too long: $1 ms for any definite answer, $2 ms after the channel had accepted it. Counted
 * up to $3.
 */
export const stuckRefundsSql = `select count(*)::integer as count from (select from refund where next_action_at is not null and state <> 'failed'
  and created_at < clock_timestamp() - (case state when 'requested' then $1::float8 else $2::float8 end) * interval '1 ms' limit $3) t`;
