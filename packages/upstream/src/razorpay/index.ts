import type { EndedWatch } from '@tidegate/domain/channels';
import type { ProviderAdapter } from '../provider/provider-adapter.ts';
import { readPayee } from './beneficiary.ts';
import { openRazorpayChannel } from './client.ts';
import { razorpayStatements } from './fetch-statement.ts';
import { modeOfRazorpay } from './mode.ts';
import { credentialFields } from './settings.ts';

/**
 * A processed payout may be reversed for up to three working days, with holidays up to a week. An attempt at an ended
 * link may be authorised for up to five days. Sources: docs/channels/razorpay.md.
 */
const watchesEnded: readonly EndedWatch[] = [
  { kind: 'payout', ended: 'paid', afterHours: [6, 24, 72, 168] },
  { kind: 'payin', ended: 'unpaid', afterHours: [6, 24, 72, 126] },
];

/** Razorpay collects by payment links; RazorpayX pays out. The keys decide about test and live, not the address. */
export const razorpay: ProviderAdapter = {
  name: 'razorpay',
  title: 'Razorpay and RazorpayX',
  carries: [
    { country: 'IN', kind: 'payin' },
    { country: 'IN', kind: 'payout' },
  ],
  baseUrls: { live: 'https://api.razorpay.com', test: 'https://api.razorpay.com' },
  credentials: credentialFields,
  modeOf: modeOfRazorpay,
  offers: (names) => ({
    refunds: true,
    // The account statement is that of RazorpayX.
    statements: names.includes('accountNumber') ? Object.values(razorpayStatements) : [razorpayStatements.settlements],
  }),
  watchesEnded,
  problemOfPayee(order) {
    const read = readPayee(order);
    return 'problem' in read ? read.problem : null;
  },
  open: openRazorpayChannel,
};
