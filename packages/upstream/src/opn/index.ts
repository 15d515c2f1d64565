import type { EndedWatch } from '@tidegate/domain/channels';
import type { ProviderAdapter } from '../provider/provider-adapter.ts';
import { openOpnChannel } from './client.ts';
import { opnStatement } from './fetch-statement.ts';
import { modeOfOpn } from './mode.ts';
import { credentialFields } from './settings.ts';

/** Whether PromptPay can pay a charge after its end is open. Source: docs/channels/opn.md. */
const watchesEnded: readonly EndedWatch[] = [{ kind: 'payin', ended: 'unpaid', afterHours: [2, 24] }];

/** Opn Payments, formerly Omise: payins by PromptPay in Thailand. Test and live mode differ by the key only. */
export const opn: ProviderAdapter = {
  name: 'opn',
  title: 'Opn Payments (Omise)',
  carries: [{ country: 'TH', kind: 'payin' }],
  baseUrls: { live: 'https://api.omise.co', test: 'https://api.omise.co' },
  credentials: credentialFields,
  modeOf: modeOfOpn,
  offers: () => ({ refunds: true, statements: [opnStatement] }),
  watchesEnded,
  open: openOpnChannel,
};
