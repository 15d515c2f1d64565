import { failureInWords, type MoneyCase, type Order, progressOfCase, type WalletEntry } from '@tidegate/domain';
import type { Finding } from '@tidegate/domain/admin';
import { nameOfProfile, type StoredProfile } from '@tidegate/domain/lists';
import { type Approval, type DataExport, titleOfApproval } from '@tidegate/domain/operators';
import type { Row } from './answer.ts';

// Output for operators. Times are ISO 8601 in UTC, amounts decimal text.

export function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A row of a list of orders. */
export function orderRow(order: Order): Row {
  const { orderNo, merchantId, merchantOrderNo, amount, currency, status, channelId, bankCode } = order;
  return {
    orderNo,
    merchantId,
    merchantOrderNo,
    amount,
    currency,
    status,
    channelId,
    bankCode,
    createdAt: timeText(order.createdAt),
  };
}

/** A task, as shown to the operator who pays it or checks its proof. */
export function taskRow(order: Order): Row {
  const { orderNo, merchantId, amount, currency, bankCode, task } = order;
  const { name = null, account = null, mobile = null } = order.details.party ?? {};
  const state = task === null ? 'available' : task.proof ? 'proved' : task.askedAt === undefined ? 'claimed' : 'asked';
  return {
    orderNo,
    merchantId,
    amount,
    currency,
    bankCode,
    payee: name,
    account,
    mobile,
    state,
    claimedBy: task?.claimedBy ?? null,
    proof: task?.proof?.reference ?? null,
    createdAt: timeText(order.createdAt),
  };
}

/** All fields of an order, without those of the checkout page. */
export function orderRecord(order: Order): Row {
  const { orderNo, merchantId, merchantOrderNo, kind, mode, status, currency, task } = order;
  const {
    isLive,
    amount,
    feeAmount,
    netAmount,
    paidAmount,
    bankCode,
    channelId,
    channelRef,
    notifyUrl,
    nextAction,
    attempt,
  } = order;
  return {
    orderNo,
    merchantId,
    merchantOrderNo,
    kind,
    mode,
    isLive,
    status,
    failureReason: failureInWords(order),
    currency,
    amount,
    feeAmount,
    netAmount,
    paidAmount,
    bankCode,
    channelId,
    channelRef,
    notifyUrl,
    party: { ...order.details.party },
    remark: order.details.remark,
    task: task && { claimedBy: task.claimedBy, proof: task.proof && { ...task.proof, at: timeText(task.proof.at) } },
    nextAction,
    nextActionAt: timeText(order.nextActionAt),
    attempt,
    createdAt: timeText(order.createdAt),
    updatedAt: timeText(order.updatedAt),
    expiresAt: timeText(order.expiresAt),
    completedAt: timeText(order.completedAt),
  };
}

export function caseRow(found: MoneyCase): Row {
  const { merchantId, caseNo, kind, orderNo, channelId, reference, currency, amount, detail, refundNo } = found;
  return {
    merchantId,
    caseNo,
    kind,
    state: progressOfCase(found),
    amount,
    currency,
    orderNo,
    channelId,
    reference,
    detail,
    refundNo,
    openedAt: timeText(found.openedAt),
  };
}

export function findingRow({
  merchantId,
  findingNo,
  rule,
  subject,
  detail,
  state,
  foundAt,
  lastFoundAt,
}: Finding): Row {
  return {
    merchantId,
    findingNo,
    rule,
    subject,
    detail,
    state,
    foundAt: timeText(foundAt),
    lastFoundAt: timeText(lastFoundAt),
  };
}

export function entryRow(entry: WalletEntry): Row {
  const { entryNo, type, availableChange, frozenChange, availableAfter, frozenAfter, orderNo, bookingNo, remark } =
    entry;
  return {
    entryNo,
    type,
    availableChange,
    frozenChange,
    availableAfter,
    frozenAfter,
    orderNo,
    bookingNo,
    remark,
    createdAt: timeText(entry.createdAt),
  };
}

/** A pending or decided approval. */
export function approvalRow(approval: Approval): Row {
  const { approvalId, merchantId, operation, subject, state, requestedBy, reason, decidedBy, outcome } = approval;
  return {
    approvalId,
    merchantId,
    operation,
    title: titleOfApproval(approval),
    subject,
    state,
    requestedBy,
    reason,
    decidedBy,
    outcome,
    requestedAt: timeText(approval.requestedAt),
    expiresAt: timeText(approval.expiresAt),
    input: approval.input as Row,
  };
}

/** A record without changes, except `merchantId`, which is `merchantNo` here, and `endsAt`, which becomes a text. */
export function plainRow(record: object): Row {
  // Results of operations consist of texts, numbers, lists and records.
  const { merchantId, endsAt, ...rest } = record as { merchantId?: string; endsAt?: number | null } & Row;
  return {
    ...(merchantId !== undefined && { merchantNo: merchantId }),
    ...rest,
    ...(endsAt !== undefined && { endsAt: timeText(endsAt) }),
  };
}

/** An export, without its file. */
export function exportRow({ exportId, kind, format, name, isExpired, ...row }: DataExport): Row {
  const { rowsWritten: rows, size, sha256, requestedBy } = row;
  const state = isExpired ? 'expired' : row.state;
  return { exportId, kind, format, state, name, rows, size, sha256, requestedBy, expiresAt: timeText(row.expiresAt) };
}

/** A version of a CSV profile, without its settings. */
export function profileRow({ profile, createdBy, approvedBy, createdAt }: StoredProfile) {
  const { name, version } = profile;
  return { name, version, format: nameOfProfile(name), createdBy, approvedBy, createdAt: timeText(createdAt) };
}
