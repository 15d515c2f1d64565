import type { EndedWatch } from '@tidegate/domain/channels';
import type { ProviderAdapter } from '../provider/provider-adapter.ts';
import { openJazzCash } from './client.ts';
import { modeOfJazzCash } from './mode.ts';
import { credentialFields } from './settings.ts';

/** JazzCash repeats a notification three times only, and its payer may confirm late. */
const watchesEnded: readonly EndedWatch[] = [{ kind: 'payin', ended: 'unpaid', afterHours: [2, 24] }];

/** JazzCash in Pakistan: payins by mobile wallet (docs/channels/jazzcash.md). */
export const jazzcash: ProviderAdapter = {
  name: 'jazzcash',
  title: 'JazzCash',
  carries: [{ country: 'PK', kind: 'payin' }],
  // The guides of 2026 name one address for both: the account decides whether money moves.
  baseUrls: { live: 'https://onlinepayments.jazzcash.com.pk', test: 'https://onlinepayments.jazzcash.com.pk' },
  credentials: credentialFields,
  modeOf: modeOfJazzCash,
  offers: () => ({ refunds: true, statements: [] }),
  watchesEnded,
  open: (settings, tools) => openJazzCash(settings, tools),
};
