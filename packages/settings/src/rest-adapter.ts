import * as z from 'zod';
import { webUrl, wholeNumberOr } from './schemas.ts';
import { domainRules, readReplica, serviceVariables } from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

export const restAdapterSettings = defineSettings({
  title: 'the REST adapter',
  schema: z.object({
    ...serviceVariables,
    DATABASE_READ_URL: readReplica,
    TRUSTED_PROXIES: wholeNumberOr(0, 0, 9, 'has to be a number from 0 to 9').register(variableFacts, {
      description:
        'How many proxies of yours a request passes: `X-Forwarded-For` is believed that far and no further, so the port must not be reachable around them.',
      unit: 'proxies',
    }),
    SANDBOX_UPSTREAM_URL: webUrl().optional().register(variableFacts, {
      description:
        'URL of the sandbox upstream, at which buttons of the checkout page play the payer. Ignored in production.',
      preset: 'no buttons',
    }),
    SANDBOX_RECEIVER_URL: webUrl().optional().register(variableFacts, {
      description: 'The address of the demo receiver that the guides at `/docs` name.',
      preset: 'the address of a sandbox on its usual ports',
    }),
  }),
  rules: domainRules,
});
