import { commonVariables } from '@tidegate/process';
import * as z from 'zod';

/** What the REST adapter is told by its environment. */
export const variables = z.object({
  ...commonVariables,
  /** Proxies of ours between the merchants and this process; what they write into X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z
    .string()
    .regex(/^[0-9]$/, 'has to be a number from 0 to 9')
    .default('0')
    .transform(Number),
});
