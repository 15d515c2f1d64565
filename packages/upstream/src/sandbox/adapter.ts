import type { ChannelAdapter, EndedWatch } from '@tidegate/domain/channels';
import type { HttpClient } from '../provider/http-client.ts';
import { createSandboxChannel } from './client.ts';

/** A callback that ended while the service was down is not repeated for ever, so orders are watched as at providers. */
const watchesEnded: readonly EndedWatch[] = (['payin', 'payout'] as const).flatMap((kind) =>
  (['paid', 'unpaid'] as const).map((ended) => ({ kind, ended, afterHours: [2, 24] })),
);

/** The upstream of the sandbox, for all countries. Its channels share one client. */
export function sandboxAdapter(http: HttpClient): ChannelAdapter {
  return {
    title: 'Sandbox',
    carries: [
      { country: 'CN', kind: 'payin' },
      { country: 'TH', kind: 'payin' },
      { country: 'IN', kind: 'payin' },
      { country: 'IN', kind: 'payout' },
      { country: 'PK', kind: 'payin' },
      { country: 'PK', kind: 'payout' },
    ],
    baseUrls: null,
    credentials: [
      {
        name: 'secret',
        purposes: ['payin', 'callback', 'payout', 'statement'],
        label: 'Secret',
        isSecret: true,
        isRequired: true,
        help: 'The secret of the sandbox upstream, which signs what it sends.',
      },
    ],
    // It is a program of ours that imitates a provider.
    modeOf: () => 'test',
    offers: () => ({ refunds: false, statements: [] }),
    watchesEnded,
    open: (settings) => createSandboxChannel(settings, http),
  };
}
