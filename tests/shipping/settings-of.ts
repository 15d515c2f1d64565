import {
  adminSettings,
  apiSettings,
  readSettings,
  restAdapterSettings,
  workerSettings,
} from '../../packages/settings/src/index.ts';

/** Why the process of each image refuses an environment when it starts; nothing if it accepts it. */
export const settingsOf: Readonly<Record<string, (environment: Record<string, string>) => string[]>> = {
  'rest-adapter': (environment) => problems(readSettings(restAdapterSettings, environment)),
  api: (environment) => problems(readSettings(apiSettings, environment)),
  worker: (environment) => problems(readSettings(workerSettings, environment)),
  admin: (environment) => problems(readSettings(adminSettings, environment)),
};

function problems(read: { ok: true } | { ok: false; problems: string[] }): string[] {
  return read.ok ? [] : read.problems;
}
