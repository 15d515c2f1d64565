import type { ChannelAdapter } from '@tidegate/domain/channels';
import type { HttpClient } from '../http-client.ts';
import { createSandboxChannel } from './client.ts';

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
        label: 'Secret',
        isSecret: true,
        isRequired: true,
        help: 'The secret of the sandbox upstream, which signs what it sends.',
      },
    ],
    open: (settings) => createSandboxChannel(settings, http),
  };
}
