import { parseArgs } from 'node:util';
import { InvalidKey, MalformedRequest } from '@tidegate/signature';
import { ApiError, AuthenticationError, TidegateError } from '../errors/errors.ts';
import { VERSION } from '../version.ts';
import { type Arguments, type Command, type Io, UsageProblem } from './command.ts';
import { createOrderCommands } from './commands/create-order.ts';
import { diagnoseRequest } from './commands/diagnose-request.ts';
import { listenForNotifications } from './commands/listen-for-notifications.ts';
import { makeKeys } from './commands/make-keys.ts';
import { queryOrderCommands } from './commands/query-order.ts';
import { listTransactions, showWallet } from './commands/read-wallet.ts';
import { signContent } from './commands/sign-content.ts';

const COMMANDS: readonly Command[] = [
  makeKeys,
  ...createOrderCommands,
  ...queryOrderCommands,
  showWallet,
  listTransactions,
  listenForNotifications,
  signContent,
  diagnoseRequest,
];

/**
 * Runs the command that the arguments name. Returns the exit code: 0, 1 for a negative result, 2 for a wrong command
 * line.
 */
export async function runCommandLine(typed: readonly string[], io: Io): Promise<number> {
  if (typed.length === 0 || (typed.length === 1 && /^(?:help|--help|-h)$/.test(typed[0] ?? ''))) {
    io.out(helpOnAll());
    return typed.length === 0 ? 2 : 0;
  }
  if (typed[0] === '--version') {
    io.out(`${VERSION}\n`);
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, at) => typed[at] === word));
  if (!command) return printGroup(typed, io);
  const rest = typed.slice(command.name.split(' ').length);
  if (rest.some(isHelp)) {
    io.out(helpOn(command));
    return 0;
  }
  try {
    return await command.run(readArguments(command, rest), io);
  } catch (error) {
    return printProblem(error, command, io);
  }
}

/** Answers an incomplete command, e.g. `payin`, or an unknown one: prints the possible commands. */
function printGroup(typed: readonly string[], io: Io): number {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${typed[0]} `));
  if (group.length > 0 && typed.slice(1).some(isHelp)) {
    io.out(`${group.map(({ name, usage, summary }) => `tidegate ${name} ${usage}\n  ${summary}\n`).join('\n')}`);
    return 0;
  }
  const there = (group.length > 0 ? group : COMMANDS).map(({ name }) => name).join(', ');
  const isUnfinished = group.length > 0 && (typed.length === 1 || typed[1]?.startsWith('-'));
  io.err(
    isUnfinished
      ? `"${typed[0]}" needs another word. Commands: ${there}\n`
      : `There is no command "${typed.slice(0, 2).join(' ')}". Commands: ${there}\n`,
  );
  return 2;
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

function readArguments(command: Command, typed: string[]): Arguments {
  try {
    const { options, takesWords } = command;
    const flagTypes = Object.entries(options).map(([flag, { type }]) => [flag, { type, multiple: type === 'string' }]);
    const config = { args: typed, options: Object.fromEntries(flagTypes), allowPositionals: takesWords };
    const { values, positionals } = parseArgs(config);
    const lists: Record<string, string[]> = {};
    const flags: Record<string, string> = {};
    const switches = new Set<string>();
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'boolean') switches.add(name);
      const texts = [value].flat().filter((text) => typeof text === 'string');
      // Of two values nobody knows which is meant.
      if (texts.length > 1 && !options[name]?.multiple) throw new UsageProblem(`--${name} is given twice`);
      lists[name] = texts;
      const last = texts.at(-1);
      if (last !== undefined) flags[name] = last;
    }
    return { positionals, flags, lists, switches };
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}

function printProblem(error: unknown, { name }: Command, io: Io): number {
  if (error instanceof UsageProblem) {
    io.err(`${error.message}\nMore: tidegate ${name} --help\n`);
    return 2;
  }
  if (error instanceof TypeError || error instanceof InvalidKey || error instanceof MalformedRequest) {
    io.err(`${error.message}\n`);
    return 2;
  }
  if (!(error instanceof TidegateError)) throw error;
  io.err(`${error.message}\n`);
  if (error instanceof AuthenticationError) io.err('To find out why: tidegate doctor --help\n');
  if (error instanceof ApiError && error.data !== null) io.err(`${JSON.stringify(error.data, null, 2)}\n`);
  return 1;
}

function helpOnAll(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `tidegate ${VERSION}: the merchants' command line\n\n${lines.join('\n')}\n\n${SETTINGS}`;
}

function helpOn({ name, usage, summary, options, details }: Command): string {
  const flags = Object.entries(options).map(([flag, { value, help }]) => [
    value ? `--${flag} ${value}` : `--${flag}`,
    help,
  ]);
  const width = Math.max(0, ...flags.map(([flag = '']) => flag.length));
  const lines = flags.map(([flag = '', help]) => `  ${flag.padEnd(width)}  ${help}\n`).join('');
  return [`tidegate ${name} ${usage}\n\n${summary}\n`, lines, details, SETTINGS].filter(Boolean).join('\n');
}

const SETTINGS = `Settings are read from a flag, else the environment, else the file tidegate.json (or --settings FILE, also the sandbox's
.data/sandbox.json).
  --base-url     TIDEGATE_BASE_URL          baseUrl          https://pay.example
  --merchant     TIDEGATE_MERCHANT_NO       merchantNo       IN10001
  --country      TIDEGATE_COUNTRY           country          CN, TH, IN or PK: fills in the fields of the country
  --key          TIDEGATE_PRIVATE_KEY_FILE  privateKeyFile   merchant-private.pem
`;
