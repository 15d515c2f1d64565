import { randomBytes } from 'node:crypto';
import { connectionOf } from '../../client-options.ts';
import { createOrder, defaultsOf, type OrderToCreate } from '../../create-order.ts';
import { type Arguments, type Command, type Io, UsageProblem } from '../command.ts';
import { fieldsOf } from '../field-arguments.ts';
import { readInput } from '../read-input.ts';
import { readSettings, SETTINGS_OPTIONS } from '../settings.ts';

const creating = (kind: 'payin' | 'payout'): Command => ({
  name: `${kind} create`,
  usage: 'name=value … (metadata.ifsc=… leads into an object), or --body FILE',
  summary: `creates a ${kind}, once, also if an answer is lost`,
  takesWords: true,
  options: {
    ...SETTINGS_OPTIONS,
    body: { type: 'string', value: 'FILE', help: 'the whole request as JSON; - reads standard input' },
    resume: { type: 'boolean', help: 'if this request created the order already, show it instead of failing' },
  },
  async run(args, io) {
    const settings = readSettings(args, io);
    const connection = connectionOf({
      merchantNo: settings.merchantNo(),
      privateKey: settings.privateKey(),
      baseUrl: settings.baseUrl(),
      allowHttp: settings.allowHttp,
    });
    const request = { ...(settings.country && defaultsOf(kind, settings.country)), ...(await readOrder(args, io)) };
    const order = await createOrder(connection, kind, request, {
      resume: args.switches.has('resume'),
      signal: io.signal,
    });
    io.out(`${JSON.stringify(order, null, 2)}\n`);
    return 0;
  },
});

export const createOrderCommands: readonly Command[] = [creating('payin'), creating('payout')];

async function readOrder({ flags, positionals }: Arguments, io: Io): Promise<OrderToCreate> {
  if (flags.body !== undefined && positionals.length > 0) throw new UsageProblem('give --body or fields, not both');
  const fields = flags.body === undefined ? fieldsOf(positionals) : await readObject(flags.body, io);
  const { amount, merchantOrderNo = newNumber(io) } = fields;
  if (typeof amount !== 'string')
    throw new UsageProblem('amount is missing: give it as text, for example amount=100.00');
  if (typeof merchantOrderNo !== 'string') throw new UsageProblem('merchantOrderNo must be a string');
  return { ...fields, merchantOrderNo, amount };
}

async function readObject(path: string, io: Io): Promise<Partial<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readInput(path, io)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (error instanceof UsageProblem) throw error;
  }
  throw new UsageProblem(`${path} holds no JSON object in UTF-8`);
}

function newNumber(io: Io): string {
  const number = `M-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`.toUpperCase();
  io.err(`merchantOrderNo=${number}\n`);
  return number;
}
