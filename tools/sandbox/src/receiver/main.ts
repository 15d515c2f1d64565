import { receiverSettings, settingsOrExit } from '@tidegate/settings';
import { buildReceiver } from './server.ts';
import { serviceKeys } from './service-keys.ts';

const { PORT: port, HOST: host, RECEIVER_SERVICE_KEY_URL, RECEIVED_FILE } = settingsOrExit(receiverSettings);

const server = buildReceiver({ findKey: serviceKeys(RECEIVER_SERVICE_KEY_URL), file: RECEIVED_FILE });
await server.listen({ port, host });
console.log(`receiver listens on port ${port}`);

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
