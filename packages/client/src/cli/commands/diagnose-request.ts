import {
  type DoctorInput,
  diagnose,
  type Finding,
  type GivenHeaders,
  readHttpRequest,
  type Severity,
} from '../../doctor.ts';
import { type Arguments, type Command, type Io, UsageProblem } from '../command.ts';
import { readInput } from '../read-input.ts';
import { readSettings, SETTINGS_OPTIONS } from '../settings.ts';

/** Finds the step that makes a signature wrong. It works offline. */
export const diagnoseRequest: Command = {
  name: 'doctor',
  usage: '--request FILE (headers, a blank line, the body), or --header "X-Sign: …" --body FILE; further options help',
  summary: 'finds out why a signature is refused',
  takesWords: false,
  options: {
    ...SETTINGS_OPTIONS,
    request: {
      type: 'string',
      value: 'FILE',
      help: 'the refused request: request line, headers, an empty line, the body',
    },
    header: {
      type: 'string',
      multiple: true,
      value: '"NAME: VALUE"',
      help: 'one header of the request; repeat for each',
    },
    body: { type: 'string', value: 'FILE', help: 'the body of a POST, exactly as it was sent' },
    query: { type: 'string', value: 'TEXT', help: 'the query string of a GET, without the ?' },
    text: { type: 'string', value: 'FILE', help: 'the text that your code signed, if you can print it' },
    'exact-text': { type: 'boolean', help: 'keep a line break at the end of --text' },
    'server-content': { type: 'string', value: 'FILE', help: 'data.signedContent of a 40101 answer of the sandbox' },
    'public-key': { type: 'string', value: 'FILE', help: 'your public key, as the service has it' },
    json: { type: 'boolean', help: 'print the findings as JSON' },
  },
  details: `Give what you have. The request and your public key are the most useful. FILE may be - for standard input. Nothing is sent anywhere.
It prints one line per finding: ✓ right, ✗ wrong (with what to do), ? suspect. Exit code 1: something is wrong.

  curl -v prints the headers of a request. Put them into request.txt, then an empty line, then the body:
    tidegate doctor --request request.txt --public-key merchant-public.pem
  A GET, with the text that your code signed:
    tidegate doctor --query "merchantOrderNo=M-1" --header "X-Timestamp: 1790000000" --header "X-Nonce: n-00000001" \\
      --header "X-Sign: …" --text signed.txt
`,
  async run(args, io) {
    const input = await readCase(args, io);
    const findings = await diagnose({ ...input, now: Date.now() });
    io.out(args.switches.has('json') ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(shown).join(''));
    return findings.some(({ severity }) => severity === 'wrong') ? 1 : 0;
  },
};

const MARKS: Record<Severity, string> = { wrong: '✗', suspect: '?', right: '✓', hint: '·' };

function shown({ step, severity, what, fix, expected, found }: Finding): string {
  const lines = [
    `${MARKS[severity]} ${step}: ${what}`,
    ...(fix === undefined ? [] : [`    do: ${fix}`]),
    ...(expected === undefined ? [] : [`    should be: ${expected}`]),
    ...(found === undefined ? [] : [`    is:        ${found}`]),
  ];
  return `${lines.join('\n')}\n`;
}

async function readCase(args: Arguments, io: Io): Promise<DoctorInput> {
  const { flags, lists, switches } = args;
  const bytes = async (flag: string) => (flags[flag] === undefined ? undefined : readInput(flags[flag], io));
  const text = async (flag: string) => {
    const read = await bytes(flag);
    return read && new TextDecoder().decode(read);
  };
  const request = readHttpRequest((await bytes('request')) ?? new Uint8Array());
  const headers = { ...request.headers, ...headersOf(lists.header ?? []) };
  const settings = readSettings(args, io);
  const signedText = await text('text');
  const body = (await bytes('body')) ?? request.body;
  const query = flags.query ?? request.query;
  if (request.method === 'POST' && body === undefined)
    throw new UsageProblem(
      'the body of the POST is missing: add it below the headers, after a blank line, or as --body FILE',
    );
  if (Object.keys(headers).length === 0 && signedText === undefined)
    throw new UsageProblem(
      'give the request as --request FILE, or as --header and --body or --query; or the text that was signed as --text FILE',
    );
  return {
    headers: Object.keys(headers).length === 0 ? undefined : headers,
    ...(body === undefined ? { query } : { body }),
    // Editors and echo add a line break at the end of a file. It is not part of the text.
    signedText: switches.has('exact-text') ? signedText : signedText?.replace(/\r?\n$/, ''),
    serverContent: (await text('server-content'))?.replace(/\r?\n$/, '') ?? request.signedContent,
    publicKey: await text('public-key'),
    privateKey: settings.hasPrivateKey() ? settings.privateKey() : undefined,
  };
}

function headersOf(lines: readonly string[]): GivenHeaders {
  return readHttpRequest(Buffer.from(lines.join('\n'))).headers;
}
