import { sandboxUpstreamSettings, settingsOrExit } from '@tidegate/settings';
import { startSandboxUpstream } from './server.ts';

const settings = settingsOrExit(sandboxUpstreamSettings);
const say = (line: object) => console.log(JSON.stringify({ time: new Date().toISOString(), ...line }));

const { PORT: port, HOST: host, STATE_FILE: stateFile, SANDBOX_UPSTREAM_SECRET: secret } = settings;

const upstream = await startSandboxUpstream({ port, host, stateFile, secret, log: say });
say({ message: 'sandbox upstream is ready', url: upstream.url });

let ending = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await upstream.close();
    say({ message: 'sandbox upstream has ended', signal });
  });
}
