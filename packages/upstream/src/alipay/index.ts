import type { EndedWatch } from '@tidegate/domain/channels';
import type { ProviderAdapter } from '../provider/provider-adapter.ts';
import { openAlipay } from './client.ts';
import { alipayStatement } from './fetch-statement.ts';
import { modeOfAlipay } from './mode.ts';
import { credentialFields } from './settings.ts';

/** After a close before the scan the code may still be payable, and notifications end after 25 hours. */
const watchesEnded: readonly EndedWatch[] = [{ kind: 'payin', ended: 'unpaid', afterHours: [3, 27] }];

/** Alipay in China: order codes and the page for computers. The contract has no payouts in China. */
export const alipay: ProviderAdapter = {
  name: 'alipay',
  title: 'Alipay',
  carries: [{ country: 'CN', kind: 'payin' }],
  baseUrls: {
    live: 'https://openapi.alipay.com/gateway.do',
    test: 'https://openapi-sandbox.dl.alipaydev.com/gateway.do',
  },
  credentials: credentialFields,
  modeOf: modeOfAlipay,
  offers: () => ({ refunds: true, statements: [alipayStatement] }),
  watchesEnded,
  open: openAlipay,
};
