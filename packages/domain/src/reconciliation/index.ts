// What other folders of the domain may import.

export { outcomes, outcomesOf } from './breaks/decide-resolution.ts';
export { endProvenBreak, lockProvableBreak, noteProblem, postToBank } from './breaks/prove-break.ts';
export { namesOf } from './breaks/queries.ts';
export { loadSeenBreak, resolveBreak } from './breaks/resolve-break.ts';
export { closeDay, type DayRef, reopenDay } from './days/close-day.ts';
export { type DayWaitsFor, endOfDay, openDay, waitingDayConditions } from './days/list-waiting-conditions.ts';
export { setReconciliation } from './days/set-reconciliation.ts';
export { type RequestedFetch, requestFetch } from './fetching/request-fetch.ts';
export { confirmStatement } from './files/confirm-statement.ts';
export { isDay } from './files/decide-totals.ts';
export { type ImportedStatement, importStatement } from './files/import-statement.ts';
export { isSuperseded } from './files/queries.ts';
export { newestVersion, type StoredProfile, setCsvProfile } from './formats/csv-profiles.ts';
export {
  calendars,
  decimalSigns,
  delimiters,
  directionsBy,
  meaningsOfMinus,
} from './formats/profile-fields.ts';
export { encodings } from './formats/profile-schema.ts';
export { postedReferenceOf } from './identity/queries.ts';
export { dayText, loadBreaks, pageBreaks } from './list-breaks.ts';
export { isReconciled } from './list-channels.ts';
export { firstPlace, type LineOfDay, type LinePlace, pageLinesOfDay } from './list-lines-of-day.ts';
export type { StoredLine } from './list-statements.ts';
export { heldCreditsSql } from './missing-credits/queries.ts';
export type { StatementLineType } from './statement.ts';
export type { StatementAccess } from './statement-access.ts';
export { type Break, type BreakKind, breakKinds, type StatementFile } from './types.ts';
