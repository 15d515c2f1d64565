import type { ProviderAdapter } from '../provider-adapter.ts';
import { openRazorpayChannel } from './client.ts';
import { credentialFields } from './settings.ts';

/** Razorpay collects by payment links; RazorpayX pays out. The keys decide about test and live, not the address. */
export const razorpay: ProviderAdapter = {
  ...{ name: 'razorpay', title: 'Razorpay and RazorpayX' },
  carries: [
    { country: 'IN', kind: 'payin' },
    { country: 'IN', kind: 'payout' },
  ],
  baseUrls: { live: 'https://api.razorpay.com', test: 'https://api.razorpay.com' },
  credentials: credentialFields,
  open: openRazorpayChannel,
};
