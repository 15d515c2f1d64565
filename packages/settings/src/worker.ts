import * as z from 'zod';
import { wholeNumberOr } from './forms.ts';
import { domainRules, serviceVariables } from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

const concurrency = (preset: number, description: string) =>
  wholeNumberOr(preset, 1, 9_999, 'has to be a number from 1 to 9999').register(variableFacts, {
    ...{ description, unit: 'jobs at once' },
  });

export const workerSettings = defineSettings({
  title: 'the worker',
  schema: z.object({
    ...serviceVariables,
    WORKER_SUBMIT_CONCURRENCY: concurrency(64, 'Orders that this process submits to channels at once.'),
    WORKER_POLL_CONCURRENCY: concurrency(64, 'Orders that it asks channels about at once.'),
    WORKER_EXPIRE_CONCURRENCY: concurrency(32, 'Orders that it lets expire at once.'),
    WORKER_NOTIFY_CONCURRENCY: concurrency(512, 'First attempts at notifications: most only wait for slow endpoints.'),
    WORKER_RETRY_CONCURRENCY: concurrency(128, 'Later attempts at notifications.'),
  }),
  rules: domainRules,
});

export type WorkerSettings = z.output<typeof workerSettings.schema>;
