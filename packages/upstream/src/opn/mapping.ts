import type { ChannelAnswer } from '@tidegate/domain/channels';
import { fromMinorUnits } from '../provider/minor-units.ts';
import { undecided } from './exchange.ts';
import type { WireCharge } from './wire.ts';

interface StateRow {
  outcome: 'accepted' | 'paid' | 'failed' | 'timed_out';
  /** The value that `paid` must have in this state. A charge that contradicts itself is unknown. */
  paid: boolean;
  source: string;
}

const chargesApi = 'https://docs.omise.co/charges-api';
const nodeExpire = 'omise/omise-node test/mocks/charge_expire.js';

/** The states of a charge. A state that is not here is unknown. */
const stateTable: Record<string, StateRow> = {
  pending: { outcome: 'accepted', paid: false, source: chargesApi },
  successful: { outcome: 'paid', paid: true, source: chargesApi },
  failed: { outcome: 'failed', paid: false, source: chargesApi },
  expired: { outcome: 'timed_out', paid: false, source: nodeExpire },
  reversed: { outcome: 'failed', paid: false, source: 'omise/omise-go charge_status.go' },
};

/**
 * Failure codes with which money may have come. Opn describes confirmed_amount_mismatch as a final amount of the
 * payment channel that differs from the charge.
 */
const doubtfulFailures: ReadonlySet<string> = new Set(['confirmed_amount_mismatch']);

interface ErrorRow {
  meaning: 'refused';
  source: string;
}

const apiErrors = 'https://docs.omise.co/api-errors';

/** Errors that prove that a create made no charge. Every other error leaves it open, as backend_error does. */
export const createErrors: Record<string, ErrorRow> = {
  bad_request: { meaning: 'refused', source: apiErrors },
  invalid_charge: { meaning: 'refused', source: apiErrors },
};

/** Errors that prove that a refund sent no money back. */
export const refundErrors: Record<string, ErrorRow> = {
  bad_request: { meaning: 'refused', source: apiErrors },
  failed_refund: { meaning: 'refused', source: apiErrors },
  invalid_charge: { meaning: 'refused', source: apiErrors },
};

/** The states of a refund. One that is not here is unknown. */
export const refundTable: Record<string, { outcome: 'accepted' | 'refunded' | 'failed'; source: string }> = {
  pending: { outcome: 'accepted', source: 'https://docs.omise.co/refunds-api' },
  closed: { outcome: 'refunded', source: 'https://docs.omise.co/refunds-api' },
  failed: { outcome: 'failed', source: 'from community' },
};

export const isPaid = (charge: WireCharge): boolean => charge.status === 'successful' && charge.paid;
export const isOpen = (charge: WireCharge): boolean => charge.status === 'pending' && !charge.paid;

/** Converts a charge to the answer about its order. `isClosed`: the charge expired because we asked for it. */
export function answerOf(charge: WireCharge, isClosed: boolean): ChannelAnswer {
  const row = Object.hasOwn(stateTable, charge.status) ? stateTable[charge.status] : undefined;
  const channelRef = charge.id;
  if (row === undefined) return undecided('the charge is in an unknown state');
  if (row.paid !== charge.paid) return undecided(`the charge is ${charge.status} and says paid: ${charge.paid}`);
  switch (row.outcome) {
    case 'accepted':
      return { outcome: 'accepted', channelRef, ...waysToPay(charge) };
    case 'paid':
      return { outcome: 'paid', channelRef, payments: [paymentOf(charge)] };
    case 'failed':
      if (doubtfulFailures.has(charge.failure_code ?? ''))
        return undecided(`the charge failed: ${charge.failure_code}`);
      return { outcome: 'failed', channelRef, reason: charge.failure_code ?? charge.status };
    case 'timed_out':
      return isClosed ? { outcome: 'closed', channelRef } : { outcome: 'timed_out', channelRef, reason: 'expired' };
    default:
      return row.outcome satisfies never;
  }
}

/** A charge is paid once, so its id is the reference of its payment. The id never changes. */
export function paymentOf(charge: WireCharge): { reference: string; amount: string } {
  return { reference: charge.id, amount: fromMinorUnits(charge.amount) };
}

/** The QR code as text if Opn returns it, else a link to its image. */
function waysToPay({ source }: WireCharge): { payLink?: string; payQr?: string } {
  const { raw_data: raw, image } = source?.scannable_code ?? {};
  const link = image?.download_uri ?? '';
  return {
    // An EMVCo merchant-presented code begins with its format version.
    ...(typeof raw === 'string' && raw.length <= 1_000 && raw.startsWith('000201') && { payQr: raw }),
    ...(/^https?:\/\/./.test(link) && { payLink: link }),
  };
}
