import { z } from 'zod';
import { startSandboxUpstream } from './server.ts';

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535),
  HOST: z.string().default('127.0.0.1'),
  STATE_FILE: z.string().min(1),
  SANDBOX_UPSTREAM_SECRET: z.string().min(16),
});

const say = (line: object) => console.log(JSON.stringify({ time: new Date().toISOString(), ...line }));

const parsed = environment.safeParse(process.env);
if (!parsed.success) {
  const names = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  console.error(`sandbox upstream: unusable environment: ${names.join('; ')}`);
  process.exit(1);
}
const { PORT: port, HOST: host, STATE_FILE: stateFile, SANDBOX_UPSTREAM_SECRET: secret } = parsed.data;

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
