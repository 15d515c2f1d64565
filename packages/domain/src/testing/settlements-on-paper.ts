import type { Settlement, SettlementDraft } from '../core/settlement.ts';
import { notByChannel } from '../core/settlement-decisions.ts';

/** A draft over 100.00, of a wallet that has as much. */
export function aDraft(changes: Partial<SettlementDraft> = {}): SettlementDraft {
  return {
    runDay: '2026-11-20',
    cutOff: '2026-11-19',
    opening: '0.00',
    closing: '100.00',
    pending: '0.00',
    keep: '0.00',
    held: '0.00',
    sums: [{ kind: 'top_ups', amount: '100.00', count: 1 }],
    amount: '100.00',
    settledBefore: {},
    settledDays: { '': '2026-11-19' },
    settledEntries: { '': { day: '2026-11-19', entryNo: 1 } },
    scanAfter: 0,
    afterEntryNo: 0,
    throughEntryNo: 1,
    pendingAfter: 1,
    accountId: 'A-1',
    ...changes,
  };
}

/** A settlement of a merchant, a draft unless changed. */
export function aSettlement(changes: Partial<Settlement> = {}): Settlement {
  return {
    ...aDraft(),
    merchantId: 'TH-1',
    seq: 1,
    settlementNo: 'STTEST000001',
    state: 'draft',
    currency: 'THB',
    version: 1,
    reference: null,
    fileNo: null,
    caseNo: null,
    debitLine: null,
    returnLine: null,
    ...notByChannel,
    draftedAt: 0,
    approvedAt: null,
    paidAt: null,
    confirmedAt: null,
    failedAt: null,
    ...changes,
  };
}
