import type { ProviderAdapter } from '../provider-adapter.ts';
import { openJazzCash } from './client.ts';
import { credentialFields } from './settings.ts';

/** JazzCash in Pakistan: payins by mobile wallet (docs/channels/jazzcash.md). */
export const jazzcash: ProviderAdapter = {
  name: 'jazzcash',
  title: 'JazzCash',
  carries: [{ country: 'PK', kind: 'payin' }],
  // The guides of 2026 name one address for both: the account decides whether money moves.
  baseUrls: { live: 'https://onlinepayments.jazzcash.com.pk', test: 'https://onlinepayments.jazzcash.com.pk' },
  credentials: credentialFields,
  open: (settings, tools) => openJazzCash(settings, tools),
};
