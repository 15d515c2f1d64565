import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';

// Each column that a role for reads may write, and why nothing decides about money by it. What is read as a fact about
// money, such as an answer of a channel or a break, belongs to a role for the ledger (ADR 0034).

let stolen: StolenRoles;
beforeAll(async () => {
  stolen = await openStolenRoles();
});
afterAll(() => stolen.close());

const question = 'i(merchant_id, question_id, order_no, channel_id, channel_ref)';
const asked = 'an answer that is booked says what was asked, and the asker compares it';
const logged = 'the log of calls: people read it, and the health of a channel counts it';
const figures = 'sums of orders, for screens. Limits and settlements read the ledger';
const progress = 'how far a roll-up has come: never beyond now';
const lastUse = 'when it was last used: nothing depends on it';
const ownSettings = 'how a screen looks to its operator';

/** `*`: all columns. */
const written: Record<'rest' | 'api' | 'worker', Record<string, [rights: string, whyHarmless: string]>> = {
  rest: {
    channel_call: ['i(*)', logged],
    channel_question: [question, asked],
    merchant_key: ['u(last_used_at)', lastUse],
  },
  api: {
    channel_call: ['i(*)', logged],
    channel_question: [question, asked],
    file_content: ['i(*)', 'bytes by their hash. The ledger’s role says which hash is attached to what'],
    operator_invitation: ['u(wrong_tries, ended_at)', 'an invitation only ends, and its tries only grow'],
    operator_preferences: ['i(*) u(*)', ownSettings],
    operator_session: ['u(last_used_at)', lastUse],
    operator_token: ['u(last_used_at)', lastUse],
    saved_view: ['i(*) u(*) d', ownSettings],
    statement_chunk: ['i(*)', 'bytes of an upload. Their hash is compared, and another operator confirms them'],
    statement_file: [
      'u(state, size, sha256)',
      'an upload. An operator has it imported with a record, and another one confirms its hash',
    ],
  },
  worker: {
    channel_call: ['i(*)', logged],
    channel_health: ['i(*) u(*)', 'for screens and alerts. Routing has its own memory of outcomes'],
    channel_question: ['u(taken_at)', 'that a worker is at it'],
    data_export: ['u(*)', 'what an operator asked for. It is shown, and booked nowhere'],
    data_export_chunk: ['i(*)', 'bytes of an export. They are shown, and booked nowhere'],
    exclusive_work: ['u(*)', 'the right to lock it'],
    host_health: ['i(*) u(*)', 'when hosts of merchants are tried again'],
    log_progress: ['u(*)', progress],
    notification: [
      'u(state, attempt, next_attempt_at, delivered_at, held_by, earlier_attempts, is_repeat)',
      'where a delivery stands. What it says and where it goes were written when it was due',
    ],
    notification_attempt: ['i(*)', 'the log of deliveries'],
    order_facets_by_day: ['i(*) u(*)', figures],
    order_facets_by_hour: ['i(*) u(*)', figures],
    order_facets_by_quarter: ['i(*) u(*)', figures],
    order_facets_progress: ['u(*)', progress],
    order_figures_by_day: ['i(*) u(*)', figures],
    order_figures_by_hour: ['i(*) u(*)', figures],
    order_figures_by_quarter: ['i(*) u(*)', figures],
    order_figures_progress: ['u(*)', progress],
    order_search: ['i(*)', 'which orders a search finds. What it shows of them is read from the orders'],
    order_search_progress: ['u(*)', progress],
    order_watch: [
      'i(*) u(*) d',
      'when the channel of an ended order is queried. Its answer is booked by the ledger’s role',
    ],
    order_watch_progress: ['u(*)', progress],
    retention: ['u(*)', 'how far logs are purged: never within 7 days'],
    settlement_run: ['i(*) u(*)', 'when a draft is made. Its sums are of the ledger, and two operators pay it'],
    wallet_entry_sum: ['i(*)', 'sums of pages of a wallet statement, for screens. Balances are of the wallet'],
  },
};

interface Found {
  role: keyof typeof written;
  name: string;
  inserted: string | null;
  updated: string | null;
  isDeleted: boolean;
}

const namesOf = (
  right: 'insert' | 'update',
): string => `(select case when count(*) = count(*) filter (where may) then '*'
    else string_agg(attname, ', ' order by attnum) filter (where may) end
  from (select *, has_column_privilege('tidegate_' || r.role, c.oid, attnum, '${right}') as may from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped) a)`;

test('no role for reads writes a column that later decides about money', async () => {
  const { rows } = await stolen.owner.domain.database.pool.query<Found>(
    `select r.role, c.relname as name, ${namesOf('insert')} as inserted, ${namesOf('update')} as updated,
       has_table_privilege('tidegate_' || r.role, c.oid, 'delete') as "isDeleted"
     from unnest($1::text[]) as r(role) cross join pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1, 2`,
    [Object.keys(written)],
  );
  const found = rows.flatMap(({ role, name, inserted, updated, isDeleted }) => {
    const rights = [inserted && `i(${inserted})`, updated && `u(${updated})`, isDeleted && 'd'].filter(Boolean);
    return rights.length > 0 ? [`${role} ${name} ${rights.join(' ')}`] : [];
  });
  const listed = Object.entries(written).flatMap(([role, tables]) =>
    Object.entries(tables).map(([name, [rights]]) => `${role} ${name} ${rights}`),
  );
  expect(found.toSorted(), 'say here why nothing decides about money by it').toEqual(listed.toSorted());
});
