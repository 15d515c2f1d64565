// What other folders of the domain may import.

export { createSettlementFile } from './bank-file/create-settlement-file.ts';
export type { SettlementFile } from './bank-file/types.ts';
export { weekdays } from './calendar/decide-days.ts';
export {
  approveSettlement,
  confirmSettlement,
  failSettlement,
  findSettlement,
  paySettlement,
} from './change-settlement.ts';
export { draftSettlements, type SettlementRun } from './draft-settlements.ts';
export { sendSettlement } from './payment/send-settlement.ts';
export {
  type BankAccount,
  cycleSubject,
  removeSettlementCycle,
  type SettlementCycle,
  setSettlementCycle,
} from './set-cycle.ts';
