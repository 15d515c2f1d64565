import type { CheckoutView } from '@tidegate/domain';

export type PayerAction = 'pay' | 'pay-half' | 'fail';

/** A payer's actions on the sandbox's page. */
export function isPayerAction(text: string): text is PayerAction {
  return text === 'pay' || text === 'pay-half' || text === 'fail';
}

const TIMEOUT_MS = 5_000;

/**
 * Performs the payer's action on the sandbox upstream. Ignores every HTTP status, because the order may have changed.
 * Throws if there is no reply within 5 s.
 */
export async function playPayer(upstreamUrl: string, view: CheckoutView, action: PayerAction): Promise<void> {
  const response = await fetch(new URL(`/orders/${view.orderNo}/${action === 'fail' ? 'fail' : 'pay'}`, upstreamUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action === 'pay-half' ? { amount: halfOf(view.money.rest) } : {}),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
}

/** Half of the amount in whole cents, rounded down, but at least one cent. */
function halfOf(amount: string): string {
  const half = BigInt(amount.replace('.', '')) / 2n;
  const digits = (half > 0n ? half : 1n).toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
