// The properties of rows that the ledger writer changes. All others stay as they were inserted.

/** Of orders. */
export const orderChanges = [
  'status',
  'paidAmount',
  'channelId',
  'channelBankCode',
  'channelRef',
  'payLink',
  'payQr',
  'task',
  'failureReason',
  'contradiction',
  'nextAction',
  'nextActionAt',
  'attempt',
  'updatedAt',
  'completedAt',
  'commandId',
];

/** Of refunds. */
export const refundChanges = [
  'state',
  'refundRef',
  'answer',
  'nextAction',
  'nextActionAt',
  'attempt',
  'sends',
  'transferNo',
  'updatedAt',
  'endedAt',
  'commandId',
];

/** Of wallets. */
export const walletChanges = [
  'available',
  'frozen',
  'lastEntryNo',
  'lastEntryHash',
  'lastTransferNo',
  'lastCaseNo',
  'lastAuditNo',
  'lastAuditHash',
  'lastBatchNo',
  'lastBatchHash',
  'updatedAt',
  'recordedAt',
];
