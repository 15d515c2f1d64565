import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One notification as the merchants' receiver got it. */
export interface ReceivedNotification {
  orderNo: string;
  status: string;
  /** Whether the whole answer, `OK`, was given. */
  acknowledged: boolean;
}

export interface FleetReceiver {
  readonly port: number;
  readonly received: ReceivedNotification[];
  /** How long an answer takes, in milliseconds. */
  takes: number;
  close(): void;
}

/** Receives the notifications of all merchants. Other tests verify the signatures. */
export async function startReceiver(): Promise<FleetReceiver> {
  const received: ReceivedNotification[] = [];
  const receiver = { received, takes: 0 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { orderNo, status }: { orderNo: string; status: string } = JSON.parse(text);
    const one: ReceivedNotification = { orderNo, status, acknowledged: false };
    received.push(one);
    if (receiver.takes > 0) await delay(receiver.takes);
    response.on('finish', () => {
      one.acknowledged = true;
    });
    response.end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(receiver, { port: (server.address() as AddressInfo).port, close });
}
