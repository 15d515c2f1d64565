import { truncateText } from '../core/channel-answer.ts';
import type { Read } from './snapshot.ts';

/** A rule of the ledger that is broken, where, and how. */
export interface Violation {
  rule: string;
  merchantId: string;
  /** The subject: an order, an entry, a transfer, a decision, an account. Empty for the wallet itself. */
  subject: string;
  /**
   * A description for operators. It is never logged, because it contains amounts. It stays the same as long as the
   * violation does.
   */
  detail: string;
}

/** Rules as queries that give a row for each violation: `merchant_id`, `subject`, `detail`. */
export type Rules = Readonly<Record<string, string>>;

/** The most violations of one rule in one page. More violations than that are found after these were repaired. */
const limit = 100;

export async function askRules(read: Read, rules: Rules, values: unknown[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [rule, sql] of Object.entries(rules)) {
    const rows = await read<{ merchant_id: string; subject: string; detail: string }>(`${sql} limit ${limit}`, values);
    violations.push(...rows.map((row) => ({ rule, merchantId: row.merchant_id, ...pick(row) })));
  }
  return violations;
}

function pick({ subject, detail }: { subject: string; detail: string }): Pick<Violation, 'subject' | 'detail'> {
  return { subject, detail: truncateText(detail, 500) };
}
