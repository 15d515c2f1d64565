/** Runs a program, and adds what it prints to the file `log`. Returns its exit code; 127: there is no such program. */
export function runInstaller(command: string, args: readonly string[], log: string): Promise<number>;

/** Where the output of the installers is, and its last lines; empty if none ran. */
export function describeLog(log: string, shown?: number): string;
