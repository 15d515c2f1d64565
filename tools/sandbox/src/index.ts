export { nodeService } from './node-service.ts';
export { findFreePort, isPortFree } from './ports.ts';
export { startPostgres } from './postgres.ts';
export { startRedis } from './redis.ts';
export { makeRunFolder } from './run-folder.ts';
export type { DemoMerchant, SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';
export { readSandboxFile, type SandboxFile } from './sandbox-file.ts';
export { scriptOf } from './service-scripts.ts';
export { waitUntil } from './wait-until.ts';
