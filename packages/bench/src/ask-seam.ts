import { createPayout, type Domain, type MerchantProfile } from '@tidegate/domain';
import { measureRate, type Rate, type Timing } from './closed-loop.ts';
import { merchantNo, payoutRequest } from './merchants.ts';

/** Creates payouts through the use-case, in this process and without HTTP, spread evenly over the first `wallets` merchants. */
export async function askSeam(
  domain: Domain,
  load: { callers: number; wallets: number },
  timing: Timing,
): Promise<Rate> {
  const merchants: MerchantProfile[] = [];
  for (let n = 1; n <= load.wallets; n += 1) {
    const merchant = await domain.directory.merchant(merchantNo(n));
    if (!merchant) throw new Error(`there is no merchant ${merchantNo(n)}`);
    merchants.push(merchant);
  }
  return measureRate(load.callers, timing, async () => {
    const merchant = merchants[Math.floor(Math.random() * merchants.length)] as MerchantProfile;
    const created = await createPayout(domain, merchant, payoutRequest());
    if (!created.ok) throw new Error(`a payout was refused: ${created.rejection}`);
    return true;
  });
}
