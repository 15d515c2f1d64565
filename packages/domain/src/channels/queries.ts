import type { Statement } from '../database/columns.ts';
import type { CredentialPurpose } from '../database/keys/purposes.ts';
import type { Scope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';

/** Inserts the records of calls and callbacks; $1 is a JSON array of them. */
export const insertCalls: Statement = {
  name: 'insert-channel-calls',
  text: `insert into channel_call (merchant_id, order_no, call_id, channel_id, operation, started_at, duration_ms, outcome, detail, is_sent, is_answer)
  select "merchantId", "orderNo", "callId", "channelId", operation, to_timestamp("startedAt" / 1000), "durationMs", outcome, detail, "isSent", "isAnswer"
  from json_to_recordset($1::json) as r("merchantId" text, "orderNo" text, "callId" text, "channelId" text, operation text, "startedAt" float8,
    "durationMs" integer, outcome text, detail text, "isSent" boolean, "isAnswer" boolean)`,
};

/** The enabled channels with their adapters. */
export const enabledChannelsSql =
  'select channel_id as "channelId", adapter from channel where enabled order by channel_id';

/** Those of the channels with these ids that an operator of this scope may see. */
export function channelsInScopeSql(scope: Scope, ids: readonly string[], add: Add): string {
  const conditions = [`t.channel_id = any(${add(ids)}::text[])`, ...routedWithin(scope, add)];
  return `select t.channel_id as id from channel t${whereAll(conditions)}`;
}

/**
 * Conditions that limit channels `t` to those that a route of a merchant within `scope` uses, also a disabled route.
 */
export function routedWithin({ countries, merchantIds }: Scope, add: Add): string[] {
  if (countries === null && merchantIds === null) return [];
  const ours = [
    'r.channel_id = t.channel_id',
    ...(merchantIds === null ? [] : [`r.merchant_id = any(${add(merchantIds)}::text[])`]),
    ...(countries === null ? [] : [`m.country = any(${add(countries)}::text[])`]),
  ];
  return [`exists (select from route r join merchant m using (merchant_id)${whereAll(ours)})`];
}

/** The channels $1, with what is needed to call them: of the credentials, the texts for these purposes. */
export function configuredChannels(purposes: readonly CredentialPurpose[]): Statement {
  const texts = purposes.map((purpose) => `'${purpose}', encode(k.${purpose}, 'hex')`).join(', ');
  const boxes = `(select json_object_agg(k.name, json_build_object(${texts})) from channel_credential k where k.channel_id = c.channel_id)`;
  return {
    name: `channels ${purposes.join(' ')}`,
    text: `select c.channel_id as "channelId", c.adapter, c.base_url as "baseUrl", ${boxes} as boxes,
    c.payin_expiry_seconds as "payinExpirySeconds", c.declared_mode as "declaredMode", c.seen
  from channel c where c.channel_id = any($1::text[])`,
  };
}

/** The value of the key $2 of the channel $1. */
export const readMemory: Statement = {
  name: 'read-channel-memory',
  text: 'select value from channel_memory where channel_id = $1 and key = $2',
};

/** Stores $3 under the key $2 of the channel $1, unless something is stored there. $4: whether it may be purged. */
export const rememberOnce: Statement = {
  name: 'remember-once',
  text: 'insert into channel_memory (channel_id, key, value, of_order) values ($1, $2, $3, $4) on conflict (channel_id, key) do nothing',
};

/** The names of the secrets of the channels $1, and since when each is set. */
export const channelCredentialsSql = `select c.channel_id as "channelId", c.credentials_set_at as "setAt",
  (select array_agg(k.name order by k.name) from channel_credential k where k.channel_id = c.channel_id) as names
  from channel c where c.channel_id = any($1::text[])`;

/** Removes the credentials of the channel $1, but those with the names $2. */
export const removeCredentialsSql = 'delete from channel_credential where channel_id = $1 and name <> all($2::text[])';

/** Writes a credential of a channel. Its row was removed before: to replace it, the role would have to read it. */
export const writeCredentialsSql = `insert into channel_credential (channel_id, name, payin, callback, payout, statement)
  values ($1, $2, $3, $4, $5, $6)`;

// Questions to channels. A column that is not named has its default: not every role may write it.

export function askQuestionSql(operation: 'query' | 'cancel'): string {
  const [column, value] = operation === 'query' ? ['', ''] : [', operation', ', $6'];
  return `insert into channel_question (merchant_id, question_id, order_no, channel_id, channel_ref${column})
  values ($1, $2, $3, $4, $5${value})`;
}

export const readAnswerSql = 'select answer from channel_question where merchant_id = $1 and question_id = $2';

/** The asker has its answer, or waits no longer. What a dead process left goes too. */
export const dropQuestionSql = 'select drop_channel_question($1, $2)';

/**
 * Takes the questions about an order for which their asker may still wait. At most 20: more are asked in the next turn,
 * or not at all.
 */
export const takeQuestionsSql = `update channel_question set taken_at = clock_timestamp()
  where merchant_id = $1 and question_id in (select q.question_id from channel_question q where q.merchant_id = $1 and q.order_no = $2 and q.taken_at is null
    and q.asked_at > clock_timestamp() - interval '20 seconds' order by q.asked_at limit 20)
  returning merchant_id as "merchantId", order_no as "orderNo", question_id as "questionId", channel_id as "channelId",
    channel_ref as "channelRef", operation`;

export const answerQuestionSql = 'update channel_question set answer = $3 where merchant_id = $1 and question_id = $2';
