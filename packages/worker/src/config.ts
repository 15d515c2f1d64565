import { commonVariables } from '@tidegate/process';
import * as z from 'zod';

const count = (preset: string) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, 'has to be a number from 1 to 9999')
    .default(preset)
    .transform(Number);

/** What the worker is told by its environment. Concurrency: jobs of a queue that run at once in this process. */
export const variables = z.object({
  ...commonVariables,
  WORKER_SUBMIT_CONCURRENCY: count('64'),
  WORKER_POLL_CONCURRENCY: count('64'),
  WORKER_EXPIRE_CONCURRENCY: count('32'),
  // Most of these only wait for endpoints that are slow to answer.
  WORKER_NOTIFY_CONCURRENCY: count('512'),
  WORKER_RETRY_CONCURRENCY: count('128'),
});

export type Settings = z.infer<typeof variables>;
