import { once } from 'node:events';
import { createServer } from 'node:http';
import { expressHandler } from '../../notifications/express-handler.ts';
import { memoryNonceStore } from '../../notifications/nonce-store.ts';
import type { Notification } from '../../notifications/notification.ts';
import { serviceKeys } from '../../notifications/service-keys.ts';
import { type Command, UsageProblem } from '../command.ts';
import { readSettings, SETTINGS_OPTIONS } from '../settings.ts';

/** Receives notifications as a merchant's server does: verifies each, prints it, and answers `OK`. */
export const listenForNotifications: Command = {
  name: 'listen',
  usage: '[--port 9000] [--host 127.0.0.1] [--count N] [--json]',
  summary: 'receives notifications, verifies and shows them, and answers OK; ends with Ctrl-C or after N',
  takesWords: false,
  options: {
    ...SETTINGS_OPTIONS,
    port: { type: 'string', value: 'PORT', help: 'the port to listen on' },
    host: { type: 'string', value: 'ADDRESS', help: 'the address to listen on' },
    count: { type: 'string', value: 'N', help: 'end after so many verified notifications' },
    json: { type: 'boolean', help: 'print each notification as one line of JSON' },
  },
  async run(args, io) {
    const { flags, switches } = args;
    const { host = '127.0.0.1' } = flags;
    const port = readNumber('port', flags.port ?? '9000', 65_535);
    const count = flags.count === undefined ? Number.POSITIVE_INFINITY : readNumber('count', flags.count, 1_000_000);
    const settings = readSettings(args, io);
    const merchantNo = settings.merchantNo();
    const keys = serviceKeys({ baseUrl: settings.baseUrl(), allowHttp: settings.allowHttp });
    let resolve = (): void => undefined;
    const enough = new Promise<void>((done) => {
      resolve = done;
    });
    let seen = 0;
    const handler = expressHandler({
      merchantNo,
      keys,
      nonces: memoryNonceStore(),
      onNotification(notification) {
        io.out(`${switches.has('json') ? JSON.stringify(notification) : lineOf(notification)}\n`);
        seen += 1;
        if (seen >= count) resolve();
      },
      onProblem: (problem) =>
        io.err(
          problem.kind === 'not verified'
            ? `not verified, ${problem.reason}: ${problem.detail}\n`
            : `${problem.kind}: ${String(problem.error)}\n`,
        ),
    });
    const server = createServer(handler).listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    io.err(
      `Listening for notifications to ${merchantNo} on http://${host}:${typeof address === 'object' ? address?.port : port}: give this as notifyUrl\n`,
    );
    io.signal.addEventListener('abort', () => resolve(), { once: true });
    if (io.signal.aborted) resolve();
    await enough;
    // Open answers are still sent.
    server.close();
    server.closeIdleConnections();
    await once(server, 'close');
    return 0;
  },
};

function lineOf({ orderType, status, orderNo, merchantOrderNo, amount, feeAmount, netAmount }: Notification): string {
  return `${orderType} ${status}  ${orderNo}  ${merchantOrderNo}  amount ${amount}  fee ${feeAmount}  net ${netAmount}`;
}

function readNumber(flag: string, text: string, max: number): number {
  if (!/^[0-9]{1,7}$/.test(text) || Number(text) > max)
    throw new UsageProblem(`--${flag} must be a number up to ${max}, not ${text}`);
  return Number(text);
}
