import { fileURLToPath } from 'node:url';
import { HELP, readConfiguration, UsageError } from './configuration.ts';
import { type RunningSandbox, type SandboxParts, type StopHandle, startSandbox } from './start-sandbox.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** One Ctrl-C can arrive several times: from the terminal, from npm, and from the script in between. */
const SAME_CTRL_C_MS = 1_500;

/**
 * `npm start` from beginning to end: starts the sandbox, waits, and stops it at SIGINT, SIGTERM or SIGHUP, or when the
 * parent process closes its IPC channel. Exits with 0 after a requested stop, otherwise with 1.
 */
export async function runSandbox(parts: SandboxParts): Promise<never> {
  const handle: StopHandle = { stop: async () => {} };
  const stopRequest = listenForStop(handle);
  const say = (line: string) => console.log(line);
  // The process that reads our output may have ended (a killed npm, a closed pipe). The shutdown must continue.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    const configuration = readConfiguration(process.argv.slice(2), process.env, REPOSITORY);
    if (configuration === 'help') {
      console.log(HELP);
      process.exit(0);
    }
    say('Tidegate is starting');
    const started = startSandbox(configuration, parts, say, handle);
    const sandbox = await Promise.race([started, stopRequest.stopped]);
    if (sandbox !== 'stopped') {
      say(describe(sandbox, parts));
      const reason = await Promise.race([sandbox.givenUp, stopRequest.stopped]);
      if (reason !== 'stopped') throw new UsageError(`${reason}: everything is ended now`);
    }
    process.exit(0);
  } catch (error) {
    // Starting fails when a stop is requested meanwhile. That is no error.
    if (stopRequest.isStopping()) {
      await stopRequest.stopped;
      process.exit(0);
    }
    console.error(`\n${error instanceof UsageError ? error.message : (error as Error).stack}\n`);
    await handle.stop();
    process.exit(1);
  }
}

interface StopRequest {
  /** Resolves when a requested stop is complete. */
  readonly stopped: Promise<'stopped'>;
  isStopping(): boolean;
}

/** The first signal stops everything in order. A second Ctrl-C exits at once. */
function listenForStop(handle: StopHandle): StopRequest {
  let requestedAt: number | undefined;
  const stopped = Promise.withResolvers<'stopped'>();
  const stop = () => {
    const now = performance.now();
    if (requestedAt !== undefined) {
      if (now - requestedAt < SAME_CTRL_C_MS) return;
      console.log('Not waiting any longer: the next npm start ends what is left.');
      process.exit(1);
    }
    requestedAt = now;
    console.log('\nStopping …');
    handle.stop().then(
      () => {
        console.log('Stopped. The data is kept: npm start goes on from here.');
        stopped.resolve('stopped');
      },
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  return { stopped: stopped.promise, isStopping: () => requestedAt !== undefined };
}

function describe({ environment, paths, seeded }: RunningSandbox, parts: SandboxParts): string {
  const rows = parts.processes.toSorted((a, b) => environment.ports[a.name] - environment.ports[b.name]);
  const merchants = seeded.merchants.map(({ merchantNo, country }) => `${merchantNo} (${country})`);
  return [
    '',
    'Tidegate is ready.',
    '',
    ...rows.map(({ name, title }) => `  ${environment.urls[name]}   ${name.padEnd(9)} ${title}`),
    '',
    `  Operators' console   ${environment.urls.api}/console`,
    `  Merchants' docs      ${environment.urls.rest}/docs`,
    `  Notifications        ${environment.urls.receiver}/received`,
    '',
    `  Demo merchants   ${merchants.join(', ')}`,
    `  Everything else  ${paths.sandboxFile}`,
    `  Logs             ${paths.logs}`,
    '',
    '  See it work      npm run demo   (in another terminal)',
    '  Stop             Ctrl-C         (npm start -- --fresh begins with empty data)',
    '',
  ].join('\n');
}
