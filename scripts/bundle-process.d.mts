import type { OutputOptions, RolldownBuild } from 'rolldown';

export declare function bundleProcess(main: string, from: string): Promise<RolldownBuild>;
export declare const COMMON_OUTPUT: OutputOptions;
