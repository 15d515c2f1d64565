export type { DemoMerchant, SandboxEnvironment, SeededSandbox } from './sandbox-environment.ts';
export { readSandboxFile, type SandboxFile } from './sandbox-file.ts';
