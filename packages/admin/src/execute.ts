import { readFileSync } from 'node:fs';
import { type Domain, openDomain, problemsOfKeys } from '@tidegate/domain';
import { hasTwoAdmins } from '@tidegate/domain/admin';
import { openAnnouncer, openWakeUps } from '@tidegate/queue';
import { openStatementThreads } from '@tidegate/statements/threads';
import { adaptersFor } from '@tidegate/upstream';
import type { Answer } from './line/answer.ts';
import type { AdminCommand, Values } from './line/command.ts';
import { explainError } from './line/explain-error.ts';
import { fileProblem } from './line/file-problem.ts';
import { asText } from './line/print-answer.ts';
import { readSettings, type Settings } from './line/settings.ts';
import { InputProblem, readTokens, type TokenOptions, whoActs } from './line/who-acts.ts';
import { exitCodes, type World } from './line/world.ts';

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
  try {
    // The fields have read exactly the values that the command declares.
    if (command.runLocal) return printAnswer(await command.runLocal(values as never));
    const read = readSettings(world.env, options.sandbox === true);
    const problems = read.ok ? problemsOfKeys(read.settings.keys, { process: 'admin' }) : read.problems;
    if (!read.ok || problems.length > 0)
      return complain(exitCodes.usage, `the environment is invalid:\n  ${problems.join('\n  ')}`);
    await command.prepare?.(read.settings, printTo(world), values as never);
    const answer = await withDomain(read.settings, world, (domain) =>
      answerWith(domain, command, values, options, world, read.settings),
    );
    if (answer === 'no_token')
      return complain(exitCodes.usage, 'no operator token: set TIDEGATE_OPERATOR_TOKEN or give --token-file');
    return printAnswer(answer);
  } catch (error) {
    return complain(...explainError(error, world));
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
  const needsNobody = command.prepare !== undefined || command.kind === 'anonymous';
  if (command.runFirst && (needsNobody || !(await hasTwoAdmins(domain)))) return command.runFirst(first, input);
  const who = await whoActs(domain, readTokens(options, settings), command);
  if (!who.ok) return who.why === 'no_token' ? 'no_token' : { ok: false, refused: who.text };
  return command.run({ ...first, operator: who.operator, approver: who.approver }, input);
}

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
  // A thread is started only for a preview.
  const statements = openStatementThreads();
  try {
    const domain = await openDomain({
      databaseUrl: settings.databaseUrl,
      environment: settings.environment,
      keys: settings.keys,
      adapters: adaptersFor({
        environment: settings.environment,
        allowCidrs: settings.channelAllowCidrs,
        // A command makes few calls, so it needs no limit.
        limiter: { take: async (_account, _rate, signal) => !signal.aborted },
      }),
      statementFormats: statements.formats,
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
    await statements.close();
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
  return new InputProblem(`${path} cannot be read: ${fileProblem(error) ?? 'the system refuses it'}`);
}
