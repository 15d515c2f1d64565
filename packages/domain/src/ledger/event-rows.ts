import type { Approval } from '../core/approval.ts';
import type { LedgerEvent } from '../core/events.ts';
import type { Transfer } from '../core/ledger.ts';
import type { Notification } from '../core/notification.ts';
import type { AuditRecord } from '../core/operator.ts';
import type { MoneyCase, Payment } from '../core/payment.ts';
import type { Refund } from '../core/refund.ts';
import type { Settlement } from '../core/settlement.ts';
import type { Transition } from '../core/transitions.ts';
import type { WalletEntry } from '../core/wallet.ts';

/**
 * The rows that are made from the events of a batch, table by table. Orders, wallets and operators' days are written in
 * their state after the batch.
 */
export interface EventRows {
  transitions: Transition[];
  entries: WalletEntry[];
  transfers: Transfer[];
  payments: Payment[];
  cases: MoneyCase[];
  /** Cases that were decided, reserved or released: each once, in its final state. */
  changedCases: MoneyCase[];
  newRefunds: Refund[];
  /** Each refund once, in its final state. */
  changedRefunds: Refund[];
  /** Settlements that were drafted or changed: each once, in its final state. */
  settlements: Settlement[];
  notifications: Notification[];
  audits: AuditRecord[];
  newApprovals: (Approval & { secrets: string | null })[];
  approvals: Approval[];
}

export function rowsOf(events: readonly LedgerEvent[]): EventRows {
  const rows = noRows();
  for (const event of events) addRow(rows, event);
  const { changedCases, changedRefunds, settlements } = rows;
  // One statement updates all rows of a table, so each may be in it once.
  if (changedCases.length > 1) rows.changedCases = lastOfEach(changedCases, ({ caseNo }) => caseNo);
  if (changedRefunds.length > 1) rows.changedRefunds = lastOfEach(changedRefunds, ({ refundNo }) => refundNo);
  if (settlements.length > 1) rows.settlements = lastOfEach(settlements, ({ seq }) => seq);
  return rows;
}

function lastOfEach<Row extends { merchantId: string }>(changed: Row[], noOf: (row: Row) => unknown): Row[] {
  return [...new Map(changed.map((row) => [`${row.merchantId} ${noOf(row)}`, row])).values()];
}

function noRows(): EventRows {
  return {
    transitions: [],
    entries: [],
    transfers: [],
    payments: [],
    cases: [],
    changedCases: [],
    newRefunds: [],
    changedRefunds: [],
    settlements: [],
    notifications: [],
    audits: [],
    newApprovals: [],
    approvals: [],
  };
}

function addRow(rows: EventRows, event: LedgerEvent): unknown {
  switch (event.type) {
    case 'order created':
    case 'order moved':
      return rows.transitions.push(event.transition);
    case 'entry made':
      return rows.entries.push(event.entry);
    case 'transfer posted':
      return rows.transfers.push(event.transfer);
    case 'payment recorded':
      return rows.payments.push(event.payment);
    case 'case opened':
      return rows.cases.push(event.opened);
    case 'case closed':
      return rows.changedCases.push(event.closed);
    case 'case reserved':
      return rows.changedCases.push(event.reserved);
    case 'case repaid':
      return rows.changedCases.push(event.repaid);
    case 'refund requested':
      return rows.newRefunds.push(event.refund);
    case 'refund changed':
      return rows.changedRefunds.push(event.refund);
    case 'settlement written':
      return rows.settlements.push(event.settlement);
    case 'notification due':
      return rows.notifications.push(event.notification);
    case 'audit recorded':
      return rows.audits.push(event.record);
    case 'approval requested':
      return rows.newApprovals.push({ ...event.approval, secrets: event.secrets });
    case 'approval decided':
      return rows.approvals.push(event.approval);
    case 'order changed':
    case 'limit used':
      return undefined;
    default:
      return event satisfies never;
  }
}
