import { fileURLToPath } from 'node:url';
import { HELP, readConfiguration, UsageError } from './configuration.ts';
import { type RunningSandbox, type SandboxParts, type StopHandle, startSandbox } from './start-sandbox.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** One Ctrl-C can arrive several times: from the terminal, from npm, from the script in between. */
const SAME_CTRL_C_MS = 1_500;

/**
 * The whole life of `npm start`: starts the sandbox, waits, and ends it at SIGINT, SIGTERM or SIGHUP, or when the IPC
 * channel of its parent process closes. Exits with 0 after a requested end, else with 1.
 */
export async function runSandbox(parts: SandboxParts): Promise<never> {
  const handle: StopHandle = { stop: async () => {} };
  const stopRequest = listenForStop(handle);
  const say = (line: string) => console.log(line);
  // The reader of our output may have ended (a killed npm, a closed pipe). The shutdown continues.
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
    // Errors during the shutdown are ignored.
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
  /** Resolves after a requested shutdown has finished. */
  readonly stopped: Promise<'stopped'>;
  isStopping(): boolean;
}

/** The first signal shuts down in order. A second Ctrl-C does not wait. */
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
