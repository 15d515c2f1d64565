import { connectionOf } from '../../client-options.ts';
import { read } from '../../read.ts';
import { type Command, UsageProblem } from '../command.ts';
import { readSettings, SETTINGS_OPTIONS } from '../settings.ts';

const querying = (kind: 'payin' | 'payout'): Command => ({
  name: `${kind} query`,
  usage: `NUMBER, the service's (${kind === 'payin' ? 'PI' : 'PO'}…) or yours; or --merchant-order-no …`,
  summary: `shows a ${kind}`,
  takesWords: true,
  options: {
    ...SETTINGS_OPTIONS,
    'merchant-order-no': {
      type: 'string',
      value: 'NUMBER',
      help: 'your own order number, if it looks like a number of the service (PI… or PO…)',
    },
  },
  async run(args, io) {
    const { positionals, flags } = args;
    const yours = flags['merchant-order-no'];
    const [number = yours, ...more] = positionals;
    if (number === undefined || more.length > 0 || (yours !== undefined && positionals.length > 0))
      throw new UsageProblem('give the number of one order');
    const settings = readSettings(args, io);
    const connection = connectionOf({
      merchantNo: settings.merchantNo(),
      privateKey: settings.privateKey(),
      baseUrl: settings.baseUrl(),
      allowHttp: settings.allowHttp,
    });
    const isService = yours === undefined && /^P[IO][0-9A-Z]{10,30}$/.test(number);
    const wanted = isService ? { orderNo: number } : { merchantOrderNo: number };
    io.out(`${JSON.stringify(await read(connection, `/${kind}/query`, wanted, io.signal), null, 2)}\n`);
    return 0;
  },
});

export const queryOrderCommands: readonly Command[] = [querying('payin'), querying('payout')];
