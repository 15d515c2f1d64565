import { adminSettings } from './admin.ts';
import { apiSettings } from './api.ts';
import { restAdapterSettings } from './rest-adapter.ts';
import { receiverSettings, sandboxSettings, sandboxUpstreamSettings } from './sandbox.ts';
import type { ProcessSettings } from './variable.ts';
import { workerSettings } from './worker.ts';

/** All processes that read settings from the environment, in the order of docs/running/configuration.md. */
export const processes: readonly Pick<ProcessSettings, 'title' | 'schema' | 'rules'>[] = [
  restAdapterSettings,
  apiSettings,
  workerSettings,
  adminSettings,
  sandboxSettings,
  sandboxUpstreamSettings,
  receiverSettings,
];
