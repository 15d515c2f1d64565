import { commonVariables } from '@tidegate/process';
import * as z from 'zod';

/** What the REST adapter is told by its environment. */
export const variables = z.object({
  ...commonVariables,
  /** A streaming replica, for what is only read (docs/postgresql.md). */
  DATABASE_READ_URL: commonVariables.DATABASE_URL.optional(),
  /** Proxies of ours between the merchants and this process; what they write into X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z
    .string()
    .regex(/^[0-9]$/, 'has to be a number from 0 to 9')
    .default('0')
    .transform(Number),
  /** For the buttons of the checkout page that play the payer; production has none, whatever stands here. */
  SANDBOX_UPSTREAM_URL: z.url({ protocol: /^https?$/, error: 'has to be a URL that begins with http://' }).optional(),
});
