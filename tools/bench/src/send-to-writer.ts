import type { Domain, MerchantProfile, OrderKind } from '@tidegate/domain';
import { measureRate, type Rate, type Timing } from './closed-loop.ts';
import { createOrder, merchantNo, orderRequest } from './merchants.ts';

/**
 * Creates orders through the domain's functions, in this process and without HTTP. Each is of one of the first `wallets`
 * merchants, drawn at random. Resolves to the measured rate.
 */
export async function sendToWriter(
  domain: Domain,
  load: { kind: OrderKind; callers: number; wallets: number },
  timing: Timing,
  counting?: () => void,
): Promise<Rate> {
  const { kind, callers, wallets } = load;
  const merchants: MerchantProfile[] = [];
  for (let n = 1; n <= wallets; n += 1) merchants.push(await merchantOf(domain, merchantNo(kind, n)));
  const ask = async (): Promise<boolean> => {
    const merchant = merchants[Math.floor(Math.random() * merchants.length)] as MerchantProfile;
    await createOne(domain, kind, merchant);
    return true;
  };
  return measureRate(callers, timing, ask, counting);
}

/** Creates one more order for this merchant, and returns its number. */
export async function createOne(domain: Domain, kind: OrderKind, merchant: MerchantProfile): Promise<string> {
  const created = await createOrder[kind](domain, merchant, orderRequest(kind));
  if (!created.ok) throw new Error(`a ${kind} was refused: ${created.rejection}`);
  return created.value.orderNo;
}

export async function merchantOf(domain: Domain, merchantId: string): Promise<MerchantProfile> {
  const merchant = await domain.directory.merchant(merchantId);
  if (!merchant) throw new Error(`there is no merchant ${merchantId}`);
  return merchant;
}
