import { qrText } from './qr.ts';
import type { OpnState, StoredCharge, StoredRefund } from './state.ts';

export const iso = (ms: number | null) =>
  ms === null ? null : new Date(ms).toISOString().replace(/\.[0-9]{3}Z$/, 'Z');

/** What Opn keeps back of a charge: 1.65 % and 7 % VAT on it, in satang. */
export function feesOf({ amount }: Pick<StoredCharge, 'amount'>): { fee: number; feeVat: number } {
  const fee = Math.round((amount * 165) / 10_000);
  return { fee, feeVat: Math.round((fee * 7) / 100) };
}

/** A charge as version 2019-05-29 of the API shows it. */
export function viewCharge(state: OpnState, charge: StoredCharge): Record<string, unknown> {
  const { id, amount, status } = charge;
  const isPaid = status === 'successful';
  const { fee, feeVat } = feesOf(charge);
  const refunded = charge.refunds.reduce((sum, refund) => sum + refund.amount, 0);
  return {
    object: 'charge',
    id,
    location: `/charges/${id}`,
    livemode: state.isLive,
    amount,
    authorization_type: null,
    authorized_amount: 0,
    captured_amount: 0,
    currency: 'THB',
    net: amount - fee - feeVat,
    fee,
    fee_vat: feeVat,
    interest: 0,
    interest_vat: 0,
    funding_amount: amount,
    funding_currency: 'THB',
    refunded_amount: refunded,
    transaction_fees: { fee_flat: '0.0', fee_rate: '1.65', vat_rate: '7.0' },
    platform_fee: { fixed: null, amount: null, percentage: null },
    ip: null,
    link: null,
    card: null,
    schedule: null,
    customer: null,
    dispute: null,
    refunds: viewRefunds(charge),
    description: charge.description,
    metadata: charge.metadata,
    source: viewSource(state, charge),
    transaction: isPaid ? id.replace('chrg', 'trxn') : null,
    failure_code: charge.failureCode,
    failure_message: charge.failureCode?.replaceAll('_', ' ') ?? null,
    status,
    authorize_uri: null,
    return_uri: null,
    created_at: iso(charge.createdAt),
    paid_at: iso(charge.paidAt),
    expires_at: iso(charge.expiresAt),
    expired_at: iso(charge.expiredAt),
    reversed_at: null,
    zero_interest_installments: false,
    branch: null,
    terminal: null,
    device: null,
    authorized: isPaid,
    capturable: false,
    capture: true,
    disputable: false,
    refundable: isPaid && refunded < amount,
    reversed: status === 'reversed',
    reversible: false,
    voided: false,
    paid: isPaid,
    expired: status === 'expired',
  };
}

function viewSource(state: OpnState, charge: StoredCharge): Record<string, unknown> {
  const { id, documentId, downloadToken, amount } = charge;
  const location = `/charges/${id}/documents/${documentId}`;
  return {
    object: 'source',
    id: charge.sourceId,
    livemode: state.isLive,
    location: `/sources/${charge.sourceId}`,
    amount,
    barcode: null,
    bank: null,
    created_at: iso(charge.createdAt),
    currency: 'THB',
    email: null,
    flow: 'offline',
    installment_term: null,
    name: null,
    mobile_number: null,
    phone_number: null,
    scannable_code: {
      object: 'barcode',
      type: 'qr',
      image: {
        object: 'document',
        livemode: state.isLive,
        id: documentId,
        deleted: false,
        filename: 'qrcode.svg',
        location,
        kind: 'qr',
        download_uri: `${state.server.url()}${location}/downloads/${downloadToken}`,
        created_at: iso(charge.createdAt),
      },
      raw_data: state.controls.givesQrText ? qrText(amount) : null,
    },
    references: null,
    store_id: null,
    store_name: null,
    terminal_id: null,
    type: 'promptpay',
    zero_interest_installments: null,
    charge_status: charge.status,
  };
}

export function viewRefund(charge: StoredCharge, refund: StoredRefund): Record<string, unknown> {
  const { id, amount, status, metadata, createdAt } = refund;
  return {
    object: 'refund',
    id,
    location: `/charges/${charge.id}/refunds/${id}`,
    voided: false,
    currency: 'THB',
    amount,
    funding_amount: amount,
    funding_currency: 'THB',
    metadata,
    charge: charge.id,
    transaction: id.replace('rfnd', 'trxn'),
    status,
    created_at: iso(createdAt),
  };
}

export function viewRefunds(charge: StoredCharge, limit = 20, offset = 0): Record<string, unknown> {
  const data = charge.refunds.slice(offset, offset + limit).map((refund) => viewRefund(charge, refund));
  return viewList(data, charge.refunds.length, limit, offset, `/charges/${charge.id}/refunds`);
}

export function viewList(
  data: unknown[],
  total: number,
  limit: number,
  offset: number,
  location: string,
): object & Record<string, unknown> {
  return {
    object: 'list',
    data,
    limit,
    offset,
    total,
    location,
    order: 'chronological',
    from: '1970-01-01T00:00:00Z',
    to: iso(Date.now()),
  };
}
