import { type Context, recordsOf } from './context.ts';
import type { FundAccount, Link, Payment, Payout, Refund, Transaction } from './records.ts';

// Records as Razorpay sends them (razorpay.com/docs, api and webhooks).

/** Webhooks have no `payments`. */
export function viewOfLink(context: Context, link: Link, isInWebhook = false): object {
  const captured = recordsOf(context, 'payment').filter(
    ({ linkId, status }) => linkId === link.id && status === 'captured',
  );
  return {
    accept_partial: false,
    amount: link.amount,
    amount_paid: link.amountPaid,
    cancelled_at: link.status === 'cancelled' ? link.createdAt : 0,
    created_at: link.createdAt,
    currency: 'INR',
    customer: {},
    description: link.description,
    expire_by: link.expireBy,
    expired_at: link.status === 'expired' ? link.expireBy : 0,
    first_min_partial_amount: 0,
    id: link.id,
    notes: link.notes,
    notify: { email: false, sms: false, whatsapp: false },
    ...(link.orderId && { order_id: link.orderId }),
    ...(!isInWebhook && { payments: captured.length === 0 ? null : captured.map((one) => viewOfLinkPayment(one)) }),
    reference_id: link.reference,
    reminder_enable: false,
    reminders: [],
    short_url: `${context.server.url()}/i/${link.id}`,
    status: link.status,
    updated_at: link.createdAt,
    upi_link: false,
    user_id: '',
    whatsapp_link: false,
  };
}

function viewOfLinkPayment({ id, amount, status, createdAt, linkId }: Payment): object {
  return {
    amount,
    created_at: createdAt,
    method: 'upi',
    payment_id: id,
    plink_id: linkId,
    status,
    updated_at: createdAt,
  };
}

export function viewOfPayment({ id, amount, status, isAutoRefunded, orderId, linkId, createdAt }: Payment): object {
  const captured = status === 'captured' || (status === 'refunded' && !isAutoRefunded);
  return {
    id,
    entity: 'payment',
    amount,
    base_amount: amount,
    currency: 'INR',
    status,
    order_id: orderId,
    invoice_id: null,
    international: false,
    method: 'upi',
    amount_refunded: 0,
    refund_status: null,
    captured,
    description: `#${linkId.replace('plink_', '')}`,
    card_id: null,
    bank: null,
    wallet: null,
    vpa: 'payer@exampleupi',
    email: null,
    contact: '+919876543210',
    notes: [],
    fee: status === 'captured' ? 24 : null,
    tax: status === 'captured' ? 4 : null,
    created_at: createdAt,
    error_code: status === 'failed' ? 'BAD_REQUEST_ERROR' : null,
  };
}

/** The order behind a payment link. Its receipt is the link's reference. Its id has no prefix in webhooks. */
export function viewOfOrder(link: Link): object {
  return {
    id: link.orderId?.replace('order_', ''),
    amount: link.amount,
    amount_paid: link.amountPaid,
    amount_due: link.amount - link.amountPaid,
    currency: 'INR',
    receipt: link.reference,
    attempts: 1,
    notes: link.notes ?? [],
    partial_payment: false,
    payment_capture: true,
    product_id: link.id.replace('plink_', ''),
    product_type: 'payment_link_v2',
    status: link.amountPaid > 0 ? 'paid' : 'attempted',
    created_at: link.createdAt,
  };
}

export function viewOfRefund({ id, amount, paymentId, receipt, status, createdAt }: Refund): object {
  return {
    id,
    entity: 'refund',
    amount,
    currency: 'INR',
    payment_id: paymentId,
    notes: [],
    receipt,
    status,
    acquirer_data: { rrn: null },
    batch_id: null,
    created_at: createdAt,
    speed_processed: 'normal',
    speed_requested: 'normal',
  };
}

export function viewOfFundAccount({ id, contactId, bank, vpa, createdAt }: FundAccount): object {
  return {
    id,
    entity: 'fund_account',
    contact_id: contactId,
    active: true,
    batch_id: null,
    created_at: createdAt,
    ...(bank && { account_type: 'bank_account', bank_account: { ...bank, bank_name: 'Example Bank', notes: [] } }),
    ...(vpa && { account_type: 'vpa', vpa: { ...vpa, username: vpa.address.split('@')[0] } }),
  };
}

export function viewOfPayout(payout: Payout): object {
  const { id, fundAccountId, amount, notes, status, purpose, mode, reference, narration, reason, createdAt } = payout;
  return {
    id,
    entity: 'payout',
    fund_account_id: fundAccountId,
    amount,
    currency: 'INR',
    notes,
    fees: 0,
    tax: 0,
    status,
    purpose,
    utr: status === 'processed' ? '000000000001' : null,
    mode,
    reference_id: reference,
    narration,
    batch_id: null,
    fee_type: '',
    created_at: createdAt,
    ...(payout.debitAccountNumber !== null && { debit_account_number: payout.debitAccountNumber }),
    status_details: reason === null ? null : { description: `Payout: ${reason}`, source: 'business', reason },
  };
}

export function viewOfTransaction(line: Transaction, balance: number, payout: Payout | undefined): object {
  const { id, payoutId, accountNumber, credit, debit, createdAt } = line;
  const paid = { fees: 0, tax: 0, status: payout?.status ?? null, mode: payout?.mode ?? null };
  const source =
    credit > 0
      ? { id: id.replace('txn_', 'rvrsl_'), entity: 'reversal', payout_id: payoutId, amount: credit }
      : { id: payoutId, entity: 'payout', amount: debit, ...paid, reference_id: payout?.reference ?? null };
  return {
    id,
    entity: 'transaction',
    account_number: accountNumber,
    amount: credit + debit,
    currency: 'INR',
    credit,
    debit,
    balance,
    source,
    created_at: createdAt,
  };
}
