import type { Settlement } from '@tidegate/domain';
import type { SettlementFile } from '@tidegate/domain/lists';
import type { Row } from '../line/answer.ts';
import type { AdminCommand } from '../line/command.ts';
import { plainRow } from '../line/views.ts';
import { change } from './change.ts';

// The commands for settlements of merchants.

const merchant = { group: 'Settlements', places: ['merchantId'] } as const;
const settled = { group: 'Settlements', places: ['merchantId', 'settlementNo'] } as const;
const settlementRow = ({ settlementNo, state, currency, amount, cutOff }: Settlement): Row => ({
  settlementNo,
  state,
  currency,
  amount,
  cutOff,
});

const fileRow = ({ accountId: _, ...file }: SettlementFile): Row => plainRow(file);

export const settlements: AdminCommand[] = [
  change('setSettlementCycle', {
    name: 'set-settlement-cycle',
    ...merchant,
    show: ({ accountId: _, ...cycle }) => plainRow(cycle),
    successMessage: ({ merchantId, workingDays }) => `${merchantId} is settled after ${workingDays} working days.`,
  }),
  change('removeSettlementCycle', {
    name: 'remove-settlement-cycle',
    ...merchant,
    show: plainRow,
    successMessage: ({ merchantId }) => `${merchantId} is not settled any more.`,
  }),
  change('draftSettlements', {
    name: 'draft-settlements',
    group: 'Settlements',
    places: ['country'],
    show: plainRow,
    successMessage: ({ day, settlementNos, failed, skipped, nextAfter }) =>
      `Drafted for ${day}: ${settlementNos.length}, failed: ${failed.length}, skipped: ${skipped.length}.${nextAfter === null ? '' : ` Go on with --after ${nextAfter}.`}`,
  }),
  change('createSettlementFile', {
    name: 'create-settlement-file',
    group: 'Settlements',
    places: ['country'],
    show: fileRow,
    successMessage: ({ fileNo, settlements, total, currency }) =>
      `Bank file ${fileNo} has ${settlements} payments over ${total} ${currency}. Save it with save-settlement-file.`,
  }),
  change('approveSettlement', {
    name: 'approve-settlement',
    ...settled,
    show: settlementRow,
    successMessage: ({ settlementNo, amount, currency }) =>
      `Settlement ${settlementNo} is approved: pay ${amount} ${currency}.`,
  }),
  change('paySettlement', {
    name: 'pay-settlement',
    ...settled,
    show: settlementRow,
    successMessage: ({ settlementNo }) => `Settlement ${settlementNo} is paid.`,
  }),
  change('sendSettlement', {
    name: 'send-settlement',
    ...settled,
    show: settlementRow,
    successMessage: ({ settlementNo, channelId, paymentNo }) =>
      `Settlement ${settlementNo} is sent to ${channelId} as ${paymentNo}.`,
  }),
  change('confirmSettlement', {
    name: 'confirm-settlement',
    ...settled,
    show: settlementRow,
    successMessage: ({ settlementNo }) => `Settlement ${settlementNo} is confirmed.`,
  }),
  change('failSettlement', {
    name: 'fail-settlement',
    ...settled,
    show: settlementRow,
    successMessage: ({ settlementNo, caseNo }) =>
      `Settlement ${settlementNo} failed: its money is back, see case ${caseNo}.`,
  }),
];
