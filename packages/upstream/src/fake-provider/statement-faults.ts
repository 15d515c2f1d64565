/** How a statement differs from the truth. */
export const statementFaults = ['missing_row', 'doubled_row', 'wrong_amount', 'foreign_row', 'cut_off'] as const;
export type StatementFault = (typeof statementFaults)[number];

/** The fault of the next statements. */
export interface StatementFaults {
  fault: StatementFault | null;
}

/** Sets the fault from the input of a control: { fault? }. Without a fault, statements are true again. The control is `statements`; at Alipay it is `bills`. */
export function setStatementFaults(faults: StatementFaults, fault: unknown): void {
  if (fault !== undefined && !statementFaults.includes(fault as StatementFault))
    throw new Error(`fault is one of ${statementFaults.join(', ')}`);
  faults.fault = (fault as StatementFault | undefined) ?? null;
}

/**
 * The rows with the fault. `wrong_amount` and `foreign_row` are made by `change` of the first row. A file that is cut
 * off is made by the writer.
 */
export function withFault<Row>(
  rows: readonly Row[],
  { fault }: StatementFaults,
  change: (row: Row, fault: 'wrong_amount' | 'foreign_row') => Row,
): Row[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  switch (fault) {
    case 'missing_row':
      return others;
    case 'doubled_row':
      return [first, ...rows];
    case 'wrong_amount':
      return [change(first, fault), ...others];
    case 'foreign_row':
      return [change(first, fault), ...rows];
    default:
      return [...rows];
  }
}
