import type { CheckoutView } from '@tidegate/domain';

export type PayerAction = 'pay' | 'pay-half' | 'fail';

/** What a person may do to a payin on the sandbox's page. */
export function isPayerAction(text: string): text is PayerAction {
  return text === 'pay' || text === 'pay-half' || text === 'fail';
}

const TIMEOUT_MS = 5_000;

/**
 * Plays the payer at the sandbox upstream, by its own controls. What it refuses, since the order has moved on, changes
 * nothing; that it does not answer is thrown.
 */
export async function playPayer(upstreamUrl: string, view: CheckoutView, action: PayerAction): Promise<void> {
  const response = await fetch(new URL(`/orders/${view.orderNo}/${action === 'fail' ? 'fail' : 'pay'}`, upstreamUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action === 'pay-half' ? { amount: halfOf(view.restAmount) } : {}),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
}

/** Half of it in whole cents, rounded down, and at least one. */
function halfOf(amount: string): string {
  const half = BigInt(amount.replace('.', '')) / 2n;
  const digits = (half > 0n ? half : 1n).toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
