import type { WalletEntry } from '../core/wallet.ts';
import { WalletEntryRow } from '../store/entities/ledger.ts';
import { columnsOf } from '../store/statements.ts';
import type { Domain } from './domain.ts';

/** The wallet entry of a top-up, settlement or adjustment by its booking number; null where nothing was booked under it. */
export async function findBooking(domain: Domain, merchantId: string, bookingNo: string): Promise<WalletEntry | null> {
  const text = `select ${columnsOf(domain.database.orm, WalletEntryRow)} from wallet_entry t where merchant_id = $1 and booking_no = $2`;
  const { rows } = await domain.database.pool.query<WalletEntry>(text, [merchantId, bookingNo]);
  return rows[0] ?? null;
}
