import type { Result } from '../core/rejection.ts';
import type { Domain } from './domain.ts';

/** Books money that the merchant paid in. `amount`: positive decimal text; the same `bookingNo` again changes nothing. */
export async function topUpWallet(
  domain: Domain,
  topUp: { merchantId: string; amount: string; bookingNo: string; remark: string },
): Promise<Result<null>> {
  const booked = await domain.commit({ type: 'bookWallet', entry: 'TOP_UP', ...topUp });
  return booked.ok ? { ok: true, value: null } : booked;
}
