import { readFileSync } from 'node:fs';
import {
  type Domain,
  isConnectionLoss,
  isSandbox,
  LedgerUnavailable,
  MerchantHeld,
  openDomain,
  SchemaTooOld,
} from '@tidegate/domain';
import { hasTwoAdmins } from '@tidegate/domain/admin';
import { openAnnouncer, openWakeUps } from '@tidegate/queue';
import { importableFormats } from '@tidegate/statements';
import { adaptersFor } from '@tidegate/upstream';
import type { Answer } from './answer.ts';
import type { AdminCommand, Values } from './command.ts';
import { asText } from './print-answer.ts';
import { readSettings, type Settings } from './settings.ts';
import { InputProblem, readTokens, type TokenOptions, whoActs } from './who-acts.ts';
import { exitCodes, type World } from './world.ts';

export interface GlobalOptions extends TokenOptions {
  json?: boolean;
  sandbox?: boolean;
  reason?: string;
}

/** Executes a parsed command, prints its result, and returns the exit code. */
export async function execute(
  command: AdminCommand,
  values: Record<string, unknown>,
  options: GlobalOptions,
  world: World,
): Promise<number> {
  const complain = (code: number, text: string): number => {
    world.err(`${command.name}: ${text}\n`);
    return code;
  };
  const printAnswer = (answer: Answer): number => {
    if (!answer.ok) return complain(exitCodes.refused, answer.refused);
    world.out(`${options.json ? JSON.stringify(answer.result) : asText(answer.message, answer.result)}\n`);
    return exitCodeOf[answer.ended ?? 'done'];
  };
  // The fields have read exactly the values that the command declares.
  if (command.runLocal) return printAnswer(await command.runLocal(values as never));
  const read = readSettings(world.env, options.sandbox === true);
  if (!read.ok) return complain(exitCodes.usage, `the environment is invalid:\n  ${read.problems.join('\n  ')}`);
  try {
    await command.prepare?.(read.settings.databaseUrl, printTo(world), values as never);
    const answer = await withDomain(read.settings, world, (domain) =>
      answerWith(domain, command, values, options, world, read.settings),
    );
    if (answer === 'no_token')
      return complain(exitCodes.usage, 'no operator token: set TIDEGATE_OPERATOR_TOKEN or give --token-file');
    return printAnswer(answer);
  } catch (error) {
    return complain(...explain(error));
  }
}

const exitCodeOf = { done: exitCodes.done, violated: exitCodes.refused, pending: exitCodes.pending };

async function answerWith(
  domain: Domain,
  command: AdminCommand,
  values: Record<string, unknown>,
  options: GlobalOptions,
  world: World,
  settings: Settings,
): Promise<Answer | 'no_token'> {
  const { reason = '' } = options;
  // The fields have read exactly the values that `run` declares.
  const input = values as Values<AdminCommand['fields']> as never;
  const first = {
    domain,
    reason,
    readBytes,
    print: printTo(world),
    readInput: (path: string) => readInput(path, world),
  };
  if (settings.environment === 'production' && (await isSandbox(domain))) return { ok: false, refused: sandboxRefused };
  const needsNobody = command.prepare !== undefined || command.kind === 'anonymous';
  if (command.runFirst && (needsNobody || !(await hasTwoAdmins(domain)))) return command.runFirst(first, input);
  const who = await whoActs(domain, readTokens(options, settings), command);
  if (!who.ok) return who.why === 'no_token' ? 'no_token' : { ok: false, refused: who.text };
  return command.run({ ...first, operator: who.operator, approver: who.approver }, input);
}

/** A sandbox is never handled as production, because its tokens and keys are readable (decisions 9). */
const sandboxRefused =
  'this database was made by a sandbox (npm start), and TIDEGATE_ENV is production: give --sandbox, or set TIDEGATE_ENV=sandbox, or name another database';

function printTo(world: World): (line: string) => void {
  return (line) => world.err(`${line}\n`);
}

/** Opens the domain for one command. Before it is closed, wake-ups are sent to the queues. */
async function withDomain<T>(settings: Settings, world: World, use: (domain: Domain) => Promise<T>): Promise<T> {
  const quiet = () => undefined;
  const warn = (_fields: object, message: string) => world.err(`${message}\n`);
  const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  // If Redis is unavailable, the dispatcher finds the work.
  const redis = settings.redisUrl === null ? null : { redisUrl: settings.redisUrl, log: silent };
  const wakeUps = redis && openWakeUps(redis);
  const announcer = redis && openAnnouncer(redis);
  try {
    const domain = await openDomain({
      databaseUrl: settings.databaseUrl,
      secret: settings.secret,
      adapters: adaptersFor({
        environment: settings.environment,
        allowCidrs: settings.channelAllowCidrs,
        // A command makes few calls, so it needs no limit.
        limiter: { take: async (_account, _rate, signal) => !signal.aborted },
      }),
      statementFormats: importableFormats,
      publicBaseUrl: settings.publicBaseUrl,
      scheduleScale: settings.scheduleScale,
      notifyAllowCidrs: settings.notifyAllowCidrs,
      channelAllowCidrs: settings.channelAllowCidrs,
      ...(settings.approvalLimit !== null && { approvalLimit: settings.approvalLimit }),
      ...(settings.approvalSignIn !== null && { approvalSignIn: settings.approvalSignIn }),
      connections: 3,
      wakeUp: wakeUps?.wakeUp ?? quiet,
      announce: announcer?.announce ?? quiet,
      log: { ...silent, warn, error: warn },
    });
    try {
      return await use(domain);
    } finally {
      await domain.close();
    }
  } finally {
    await wakeUps?.close();
    await announcer?.close();
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return readFileSync(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
}

async function readInput(path: string, world: World): Promise<string> {
  if (path === '-') return world.readStdin();
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function cannotRead(path: string, error: unknown): InputProblem {
  return new InputProblem(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
}

/** PostgreSQL's errors (SQLSTATE), in words for an operator. */
const databaseWords: Record<string, [code: number, text: string]> = {
  '23503': [
    exitCodes.refused,
    'it names something that does not exist (a merchant, channel or operator): create it first',
  ],
  '23514': [exitCodes.refused, 'a value is outside of what is allowed'],
  '22003': [exitCodes.refused, 'a number is too large'],
  '55P03': [
    exitCodes.unavailable,
    'a migration did not get its lock, because another session holds a transaction open. Try again',
  ],
  '57014': [exitCodes.unavailable, 'a statement took longer than it may'],
  '3D000': [exitCodes.unavailable, 'there is no such database: create it, or correct DATABASE_URL'],
  '28P01': [exitCodes.unavailable, 'the database refuses the user or password of DATABASE_URL'],
  '28000': [exitCodes.unavailable, 'the database refuses the user of DATABASE_URL'],
};

/** Never the error's own detail, which may contain a row's values. */
function explain(error: unknown): [code: number, text: string] {
  if (error instanceof InputProblem) return [exitCodes.usage, error.message];
  if (error instanceof SchemaTooOld) return [exitCodes.unavailable, error.message];
  const causes = causesOf(error);
  if (error instanceof MerchantHeld) return [exitCodes.unavailable, `${error.message}; try again`];
  if (causes.some((cause) => cause instanceof LedgerUnavailable || isConnectionLoss(cause)))
    return [
      exitCodes.unavailable,
      'the database cannot be reached: is it up, and is DATABASE_URL right? Look before you repeat a change',
    ];
  for (const cause of causes) {
    const known = databaseWords[String((cause as { code?: unknown }).code)];
    if (known) return known;
  }
  return [
    exitCodes.unavailable,
    `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  ];
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at);
  return causes;
}
