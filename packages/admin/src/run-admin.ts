import { useOwnWords } from '@tidegate/settings/zod-words';
import { Argument, Command, CommanderError, Option } from 'commander';
import { commands } from './commands/index.ts';
import { execute, type GlobalOptions } from './execute.ts';
import { type AdminCommand, groups } from './line/command.ts';
import { explainError } from './line/explain-error.ts';
import { exitCodes, type World } from './line/world.ts';

const intro = `An operator's command line over Tidegate: for the first set-up and for emergencies.`;

const help = `
Who acts
  TIDEGATE_OPERATOR_TOKEN or --token-file says who you are. Every change needs --reason, and writes an audit record.
  A change that needs two operators waits as an approval, until another operator approves it (list-approvals, approve).
  A second operator at the same machine can approve it at once, with TIDEGATE_APPROVER_TOKEN or --approver-token-file.
  In a sandbox you act as its operator admin, or with --as-approver as its operator approver.

Where
  DATABASE_URL, TIDEGATE_KEYS and, if the services use Redis, REDIS_URL. PUBLIC_BASE_URL, NOTIFY_ALLOW_CIDRS, CHANNEL_ALLOW_CIDRS,
  TIDEGATE_SCHEDULE_SCALE, TIDEGATE_APPROVAL_LIMIT and TIDEGATE_APPROVAL_SIGN_IN need the same values as in the services.
  With --sandbox all of them are read from the sandbox's data folder. So are they if DATABASE_URL is not set and the folder exists.

Exit codes
  0  done
  1  refused, or the audit found violations: nothing was changed
  2  the command line or the environment is invalid: nothing was done
  3  a dependency is unavailable, or an unexpected error occurred: check what was done before you repeat the command
  4  waiting, not done yet: a second operator has to approve it

The first time
  npm run admin -- migrate
  npm run admin -- create-operator alice --name "Alice" --roles admin,finance,operator --reason "first set-up"
`;

/** Runs one command line, and returns the exit code. Never throws: errors are printed in words. */
export async function runAdmin(args: readonly string[], world: World): Promise<number> {
  useOwnWords();
  let exitCode: number = exitCodes.done;
  const program = new Command('npm run admin --')
    .description(intro)
    .exitOverride()
    .configureOutput({
      writeOut: world.out,
      writeErr: world.err,
      getOutHelpWidth: () => 110,
      getErrHelpWidth: () => 110,
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows the commands and options)')
    .option('--json', 'one JSON document instead of text for people')
    .option('--sandbox', 'the sandbox of the data folder (TIDEGATE_DATA_DIR, else .data)')
    .option('--token-file <path>', 'a file with your operator token', once('--token-file', asTyped))
    .option('--as-approver', 'in a sandbox: act as its operator approver')
    .addHelpText('after', help);
  for (const group of groups) {
    for (const command of commands.filter((one) => one.group === group)) {
      addCommand(program, command, async (values, options) => {
        exitCode = await execute(command, values, options, world);
      });
    }
  }
  try {
    await program.parseAsync(keyIdsLast(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const [code, text] = explainError(error, world);
      world.err(`${text}\n`);
      return code;
    }
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/**
 * One key id in 64 begins with a hyphen (RFC 7638: base64url of a hash) and would be read as an option. After `--` it
 * is not. A key id is always the last argument.
 */
function keyIdsLast(args: readonly string[]): string[] {
  const isKeyId = (arg: string): boolean => /^-[\w-]{42}$/.test(arg);
  if (args.includes('--') || !args.some(isKeyId)) return [...args];
  return [...args.filter((arg) => !isKeyId(arg)), '--', ...args.filter(isKeyId)];
}

type Act = (values: Record<string, unknown>, options: GlobalOptions) => Promise<void>;

function addCommand(program: Command, definition: AdminCommand, act: Act): void {
  const { name, group, summary, kind, fields } = definition;
  const command = program.command(name).summary(summary).helpGroup(group);
  command.description(`${summary}\n\n${whoMayUse(definition)}`);
  const options = new Map<string, string>();
  const places: string[] = [];
  for (const [key, { flags, about, required, read }] of Object.entries(fields)) {
    if (flags.startsWith('<')) {
      places.push(key);
      const place = new Argument(flags, about);
      command.addArgument(place.argParser(boxed(flags, read)));
    } else {
      const option = new Option(flags, required ? `${about} (required)` : about).makeOptionMandatory(required);
      options.set(key, option.attributeName());
      command.addOption(option.argParser(boxed(`--${option.name()}`, read)));
    }
  }
  if (kind === 'change') {
    command
      .requiredOption('--reason <text>', 'why, for the audit record (required)', once('--reason', readReason))
      .option(
        '--approver-token-file <path>',
        "a file with the second operator's token",
        once('--approver-token-file', asTyped),
      )
      .option('--with-approver', 'in a sandbox: its other operator approves at once');
  }
  command.action(() => {
    const said = command.optsWithGlobals();
    const values = [
      ...places.map((key, i) => [key, unboxed(command.processedArgs[i])]),
      ...[...options].map(([key, attribute]) => [key, unboxed(said[attribute])]),
    ];
    return act(Object.fromEntries(values), said);
  });
}

/** The last sentence of a command's own help. */
function whoMayUse({ kind, roles }: AdminCommand): string {
  if (['prepare', 'anonymous', 'local'].includes(kind)) return 'It needs no operator.';
  if (roles === null) return 'Roles: any.';
  return `${roles.length === 1 ? 'Role' : 'Roles'}: ${roles.join(', ')}.`;
}

/** Hides a value that was read from Commander, which would replace null by an empty text. */
class Box {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

const boxed = (name: string, read: (text: string) => unknown) => once(name, (text) => new Box(read(text)));

/** Reads the value of an argument or option. Of two values nobody knows which is meant. */
function once<Value>(name: string, read: (text: string) => Value): (text: string, before: unknown) => Value {
  return (text, before) => {
    if (before !== undefined) throw wrongValue(`${name} is given twice`);
    return read(text);
  };
}

const asTyped = (text: string): string => text;

const wrongValue = (problem: string): CommanderError =>
  new CommanderError(2, 'commander.invalidArgument', `error: ${problem}`);

function unboxed(value: unknown): unknown {
  return value instanceof Box ? value.value : value;
}

function readReason(text: string): string {
  if (text.trim() === '' || text.length > 500) throw wrongValue('--reason must have 1 to 500 characters');
  return text.trim();
}
