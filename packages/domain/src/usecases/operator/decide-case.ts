import type { Decision } from '../../core/operator.ts';
import type { MoneyCase } from '../../core/payment.ts';
import type { Result } from '../../core/rejection.ts';
import { MoneyCaseRow } from '../../store/entities/ledger.ts';
import { columnsOf } from '../../store/statements.ts';
import type { Domain } from '../domain.ts';

/** Credits a case's money to its merchant, or returns it to where it came from. Once: a decided case stays decided. */
export async function decideCase(
  domain: Domain,
  decision: 'credit' | 'return',
  named: { merchantId: string; caseNo: number },
  by: Decision,
): Promise<Result<MoneyCase>> {
  const found = await findCase(domain, named.merchantId, named.caseNo);
  if (!found) return { ok: false, rejection: 'case_not_found' };
  const type = decision === 'credit' ? 'creditCase' : 'returnCase';
  try {
    const decided = await domain.commit({ type, ...named, orderNo: found.orderNo, by });
    if (!decided.ok) return decided;
  } catch (error) {
    if (!isCreditedAlready(error)) throw error;
    return { ok: false, rejection: 'case_not_creditable', detail: 'its order was credited so before: return it' };
  }
  return { ok: true, value: (await findCase(domain, named.merchantId, named.caseNo)) ?? found };
}

/** An order is credited once, and a payout's return is too; the database stands for it. */
function isCreditedAlready(error: unknown): boolean {
  return (
    error instanceof Error && 'constraint' in error && /^wallet_entry_once(_p\d+)?$/.test(String(error.constraint))
  );
}

async function findCase(domain: Domain, merchantId: string, caseNo: number): Promise<MoneyCase | null> {
  const text = `select ${columnsOf(domain.database.orm, MoneyCaseRow)} from money_case t where merchant_id = $1 and case_no = $2`;
  const { rows } = await domain.database.pool.query<MoneyCase>(text, [merchantId, caseNo]);
  return rows[0] ?? null;
}
