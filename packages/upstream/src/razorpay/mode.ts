import { type ChannelMode, type ModeSettings, modeOfSigns } from '@tidegate/domain/channels';
import { signOfKey, signsOfSharedHost } from '../provider/mode-signs.ts';

const prefixes = { live: 'rzp_live_', test: 'rzp_test_' };

/**
 * Both modes have one host; the key ids decide, that of payins and that of payouts: `rzp_test_…` for tests,
 * `rzp_live_…` for real money. A channel with one of each is mixed. Sources:
 * https://razorpay.com/docs/payments/dashboard/test-live-modes (each mode has keys of its own), and the samples of keys in
 * Razorpay's documentation and SDKs.
 */
export function modeOfRazorpay({ baseUrl, credentials }: ModeSettings): ChannelMode {
  const keys = [credentials.keyId, credentials.payoutKeyId].filter((key) => key !== undefined && key !== '');
  return modeOfSigns([
    ...(keys.length === 0 ? ['unknown' as const] : keys.map((key) => signOfKey(key ?? '', prefixes))),
    ...signsOfSharedHost(baseUrl, ['api.razorpay.com']),
  ]);
}
