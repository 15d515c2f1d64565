import { merchantOf } from '../../core/commands.ts';
import { operatorActingAlone } from '../../core/daily-limit.ts';
import type { OperatorDay } from '../../core/operator.ts';
import { asJson } from '../../database/row-parameters.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

const queries = () => ({
  /** Locks and returns the amounts that these operators ($1) moved alone today, in the currencies of these merchants ($2). */
  holdOperatorDays: {
    name: 'hold-operator-days',
    text: `insert into operator_day as d (operator_id, day, currency)
        select distinct k.o, (clock_timestamp() at time zone 'UTC')::date, w.currency
        from unnest($1::text[], $2::text[]) as k(o, m) join wallet w on w.merchant_id = k.m order by 1, 3
        on conflict (operator_id, day, currency) do update set amount = d.amount
        returning operator_id as "operatorId", day::text as day, currency, amount::text as amount`,
  },
  updateOperatorDays: {
    name: 'update-operator-days',
    text: `update operator_day t set amount = r.amount
        from json_to_recordset($1::json) as r("operatorId" text, day date, currency text, amount numeric)
        where t.operator_id = r."operatorId" and t.day = r.day and t.currency = r.currency`,
    valuesOf: asJson,
  },
});

/** What operators moved today without a second one, by operator and currency. It is written in its state after the batch. */
export const days = {
  queries,
  // These rows are locked after the wallets and in sorted order. Otherwise two transactions could wait for each other.
  async load({ client, sql }, commands) {
    const alone = commands.flatMap((command) => {
      const by = operatorActingAlone(command);
      return by === null ? [] : [{ actor: by.actor, merchantId: merchantOf(command) }];
    });
    const keys = [alone.map(({ actor }) => actor), alone.map(({ merchantId }) => merchantId)];
    const found = await readByKeys<OperatorDay>(client, sql.holdOperatorDays, keys);
    return new Map(found.map((day) => [dayKey(day.operatorId, day.currency), day]));
  },
  state(known, command, { wallet: { currency } }) {
    const alone = operatorActingAlone(command);
    return { operatorDay: (alone && known.get(dayKey(alone.actor, currency))) ?? null };
  },
  keep(known, _, { state: { operatorDay } }) {
    if (operatorDay) known.set(dayKey(operatorDay.operatorId, operatorDay.currency), operatorDay);
  },
} satisfies LedgerRecord<OperatorDay, ReturnType<typeof queries>>;

export const dayKey = (operatorId: string, currency: string): string => key(operatorId, currency);
