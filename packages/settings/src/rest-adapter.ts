import * as z from 'zod';
import { webUrl } from './schemas.ts';
import { domainRules, readReplica, serviceVariables, trustedProxies } from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

export const restAdapterSettings = defineSettings({
  title: 'the REST adapter',
  schema: z.object({
    ...serviceVariables,
    DATABASE_READ_URL: readReplica,
    TRUSTED_PROXIES: trustedProxies,
    SANDBOX_UPSTREAM_URL: webUrl().optional().register(variableFacts, {
      description: 'URL of the sandbox upstream, for the buttons of the checkout page. Ignored in production.',
      preset: 'no buttons',
    }),
    SANDBOX_RECEIVER_URL: webUrl().optional().register(variableFacts, {
      description: 'The demo receiver that the guides at `/docs` name.',
      preset: 'a sandbox on its usual ports',
    }),
  }),
  rules: domainRules,
});
