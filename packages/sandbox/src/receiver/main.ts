import { buildReceiver } from './server.ts';
import { serviceKeys } from './service-keys.ts';

const { PORT, HOST, RECEIVER_SERVICE_KEY_URL, RECEIVED_FILE } = process.env;
if (RECEIVER_SERVICE_KEY_URL === undefined) throw new Error('RECEIVER_SERVICE_KEY_URL is not set');

const server = buildReceiver({ findKey: serviceKeys(RECEIVER_SERVICE_KEY_URL), file: RECEIVED_FILE });
await server.listen({ port: Number(PORT ?? '8091'), host: HOST ?? '127.0.0.1' });
console.log(`receiver listens on port ${PORT ?? '8091'}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
