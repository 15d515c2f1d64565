import { connectionOf } from '../../client-options.ts';
import { read } from '../../read.ts';
import type { Arguments, Command, Io } from '../command.ts';
import { readSettings, SETTINGS_OPTIONS } from '../settings.ts';

export const showWallet: Command = {
  name: 'wallet',
  usage: '',
  summary: 'shows the balance',
  takesWords: false,
  options: SETTINGS_OPTIONS,
  run: (args, io) => show(args, io, '/wallet', {}),
};

export const listTransactions: Command = {
  name: 'transactions',
  usage: '[--page 1] [--page-size 20]',
  summary: 'lists the movements of the wallet, newest first',
  takesWords: false,
  options: {
    ...SETTINGS_OPTIONS,
    page: { type: 'string', value: 'N', help: 'which page, from 1' },
    'page-size': { type: 'string', value: 'N', help: 'entries per page, 1 to 100 (default 20)' },
  },
  run: (args, io) =>
    show(args, io, '/wallet/transactions', { page: args.flags.page, pageSize: args.flags['page-size'] }),
};

async function show(
  args: Arguments,
  io: Io,
  path: string,
  parameters: Record<string, string | undefined>,
): Promise<number> {
  const settings = readSettings(args, io);
  const connection = connectionOf({
    merchantNo: settings.merchantNo(),
    privateKey: settings.privateKey(),
    baseUrl: settings.baseUrl(),
    allowHttp: settings.allowHttp,
  });
  io.out(`${JSON.stringify(await read(connection, path, parameters, io.signal), null, 2)}\n`);
  return 0;
}
