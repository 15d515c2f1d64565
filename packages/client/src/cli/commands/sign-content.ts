import { parsePrivateKey, readBody, readQuery, signedHeaders } from '@tidegate/signature';
import { type Arguments, type Command, type Io, UsageProblem } from '../command.ts';
import { fieldsOf } from '../field-arguments.ts';
import { readInput } from '../read-input.ts';
import { readSettings, SETTINGS_OPTIONS } from '../settings.ts';

/** Signs a request without sending it, and shows the signed text for comparison. */
export const signContent: Command = {
  name: 'sign',
  usage: '--body FILE (- for standard input), --query "a=1&b=2", or name=value …',
  summary: 'signs a body or a query: the text to sign, and the four headers',
  takesWords: true,
  options: {
    ...SETTINGS_OPTIONS,
    body: { type: 'string', value: 'FILE', help: 'the JSON body of a POST; - reads standard input' },
    query: { type: 'string', value: 'TEXT', help: 'the query string of a GET, without the ?' },
    timestamp: { type: 'string', value: 'SECONDS', help: 'X-Timestamp (default: now)' },
    nonce: { type: 'string', value: 'TEXT', help: 'X-Nonce (default: a new one)' },
    json: { type: 'boolean', help: 'print the headers and the signed text as JSON' },
  },
  async run(args, io) {
    const { flags, switches } = args;
    const content = await readContent(args, io);
    const settings = readSettings(args, io);
    const headers = await signedHeaders({
      merchantNo: settings.merchantNo(),
      key: parsePrivateKey(settings.privateKey()),
      ...content,
      ...(flags.timestamp !== undefined && { timestamp: flags.timestamp }),
      ...(flags.nonce !== undefined && { nonce: flags.nonce }),
    });
    const { 'X-Timestamp': timestamp = '', 'X-Nonce': nonce = '' } = headers;
    const fields = 'body' in content ? readBody(Buffer.from(content.body)) : readQuery(content.query);
    const signed = fields.content(timestamp, nonce);
    if (switches.has('json')) {
      const shown = 'body' in content ? { body: new TextDecoder().decode(Buffer.from(content.body)) } : content;
      io.out(`${JSON.stringify({ signedContent: signed, headers, ...shown }, null, 2)}\n`);
      return 0;
    }
    io.err(`The text that is signed:\n${signed}\n\n`);
    if (args.positionals.length > 0 && 'body' in content) io.err(`The body to send:\n${content.body}\n\n`);
    io.out(
      `${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join('')}`,
    );
    return 0;
  },
};

async function readContent(
  { flags, positionals }: Arguments,
  io: Io,
): Promise<{ body: string | Uint8Array } | { query: string }> {
  const ways = [flags.body, flags.query, positionals[0]].filter((way) => way !== undefined);
  if (ways.length !== 1) throw new UsageProblem('give one of --body, --query and fields');
  if (flags.body !== undefined) return { body: await readInput(flags.body, io) };
  return flags.query === undefined ? { body: JSON.stringify(fieldsOf(positionals)) } : { query: flags.query };
}
