import { namedCases, namedReturns, needsCases } from '../../core/commands.ts';
import type { MoneyCase } from '../../core/payment.ts';
import { withoutOrder } from '../../core/unmatched.ts';
import { caseChanges, MoneyCaseRow } from '../../database/entities/ledger.ts';
import { orderKeys } from './order.ts';
import { byOrder, type ColumnsOf, insert, selectList, update } from './queries.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

function queries(columns: ColumnsOf) {
  const all = columns(MoneyCaseRow);
  const list = selectList(all);
  return {
    casesByNo: {
      name: 'cases-by-no',
      text: `select ${list} from money_case t
        join unnest($1::text[], $2::bigint[]) as k(m, n) on t.merchant_id = k.m and t.case_no = k.n`,
    },
    openCasesByOrder: {
      name: 'open-cases-by-order',
      text: `select ${list} from money_case t ${byOrder} where t.state = 'open'
        or t.state in ('charged', 'written_off') and t.came_back < t.amount`,
    },
    // As `casesOfUnknownPayout` of the core, which decides.
    casesOfUnknownPayouts: {
      name: 'cases-of-unknown-payouts',
      text: `select ${list} from unnest($1::text[], $2::bigint[]) as k(m, n)
        join money_case r on r.merchant_id = k.m and r.case_no = k.n and r.kind = 'payout_returned' and r.order_no is null
        join money_case t on t.merchant_id = r.merchant_id and t.payment_order_no = r.payment_order_no and t.order_no is null
          and t.state in ('open', 'written_off') and (t.payment_order_no <> '${withoutOrder}' or t.reference = r.reference)`,
    },
    insertCases: insert('money_case', all),
    updateCases: update<MoneyCase>('money_case', all, caseChanges),
  };
}

/** Cases of money that nobody could book. */
export const cases = {
  queries,
  async load({ client, sql }, commands) {
    const keysOf = (named: readonly { merchantId: string; caseNo: number }[]) => [
      named.map(({ merchantId }) => merchantId),
      named.map(({ caseNo }) => caseNo),
    ];
    const found = await Promise.all([
      readByKeys<MoneyCase>(client, sql.casesByNo, keysOf(commands.flatMap(namedCases))),
      readByKeys<MoneyCase>(client, sql.openCasesByOrder, orderKeys(commands, needsCases)),
      readByKeys<MoneyCase>(client, sql.casesOfUnknownPayouts, keysOf(commands.flatMap(namedReturns))),
    ]);
    return new Map(found.flat().map((one) => [key(one.merchantId, one.caseNo), one]));
  },
  state: (known, command) => ({
    cases: needsCases(command) || namedCases(command).length > 0 ? [...known.values()] : [],
  }),
  keep(known, _, { state }) {
    // The state has all that events changed, whatever kind they are of.
    for (const one of state.cases) known.set(key(one.merchantId, one.caseNo), one);
  },
  added: { 'case opened': ({ opened }) => opened },
  changed: {
    by: {
      'case closed': ({ closed }) => closed,
      'case reserved': ({ reserved }) => reserved,
      'case repaid': ({ repaid }) => repaid,
    },
    noOf: (row) => (row as MoneyCase).caseNo,
  },
} satisfies LedgerRecord<MoneyCase, ReturnType<typeof queries>>;
