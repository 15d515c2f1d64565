// What other capabilities take from this one.

export { outcomes } from './breaks/decide-resolution.ts';
export { loadSeenBreak, resolveBreak } from './breaks/resolve-break.ts';
export { closeDay, type DayRef, reopenDay } from './days/close-day.ts';
export { setReconciliation } from './days/set-reconciliation.ts';
export { isDay } from './files/decide-totals.ts';
export { type ImportedStatement, importStatement } from './files/import-statement.ts';
export { loadBreaks } from './list-breaks.ts';
export type { StatementAccess } from './statement-access.ts';
export { type Break, breakKinds } from './types.ts';
