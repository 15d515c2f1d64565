import { readFileSync } from 'node:fs';
import type { Domain } from '@tidegate/domain';
import { hasRole, type OperatorContext, operatorOfToken } from '@tidegate/domain/operators';
import type { AdminCommand } from './command.ts';
import { fileProblem } from './file-problem.ts';
import type { Settings } from './settings.ts';

/** The options that choose the tokens. */
export interface TokenOptions {
  tokenFile?: string;
  approverTokenFile?: string;
  asApprover?: boolean;
  withApprover?: boolean;
}

export interface Tokens {
  operator: string | null;
  approver: string | null;
}

export type WhoActs =
  | { ok: true; operator: OperatorContext; approver: OperatorContext | null }
  | { ok: false; why: 'no_token' | 'refused'; text: string };

/** A required file cannot be read. */
export class InputProblem extends Error {}

/**
 * Reads the token of the operator and that of the second operator. Throws InputProblem.
 * - Operator: the token file, then TIDEGATE_OPERATOR_TOKEN, then the sandbox's admin.
 * - Second operator: the token file, then TIDEGATE_APPROVER_TOKEN.
 * - `asApprover`: the sandbox's approver is the operator. TIDEGATE_OPERATOR_TOKEN is not read.
 * - `withApprover`: the sandbox's other operator is the second one. TIDEGATE_APPROVER_TOKEN is not read.
 */
export function readTokens(options: TokenOptions, settings: Settings): Tokens {
  const { operatorToken, approverToken, sandboxTokens } = settings;
  const [own, other] = options.asApprover ? (['approver', 'admin'] as const) : (['admin', 'approver'] as const);
  const fromFile = (path: string | undefined) => (path === undefined ? null : readToken(path));
  const variable = options.asApprover ? null : operatorToken;
  return {
    operator: fromFile(options.tokenFile) ?? variable ?? sandboxTokens?.[own] ?? null,
    approver:
      fromFile(options.approverTokenFile) ?? (options.withApprover ? (sandboxTokens?.[other] ?? null) : approverToken),
  };
}

/** The operators of the tokens, or why they may not use the command. */
export async function whoActs(
  domain: Domain,
  tokens: Tokens,
  { kind, roles, respectsRestrictions }: Pick<AdminCommand, 'kind' | 'roles' | 'respectsRestrictions'>,
): Promise<WhoActs> {
  if (tokens.operator === null)
    return { ok: false, why: 'no_token', text: 'no operator token: set TIDEGATE_OPERATOR_TOKEN or give --token-file' };
  const operator = await operatorOfToken(domain, tokens.operator);
  if (!operator) return refuse('the operator token is unknown, expired or revoked, or its operator is disabled');
  const approver = tokens.approver === null ? null : await operatorOfToken(domain, tokens.approver);
  if (tokens.approver !== null && !approver)
    return refuse("the second operator's token is unknown, expired or revoked, or its operator is disabled");
  if (approver?.operatorId === operator.operatorId)
    return refuse(
      `the second operator must not be ${operator.operatorId}, who is the first one: use the token of another operator`,
    );
  const lacking = [operator, approver].find((one) => one && roles !== null && !hasRole(one, roles));
  if (lacking)
    return refuse(`${lacking.operatorId} lacks the role ${roles?.join(' or ')}, which this command asks for`);
  const isRestricted = operator.countries !== null || operator.merchantIds !== null;
  if (kind === 'read' && isRestricted && !respectsRestrictions)
    return refuse('this command also shows what is outside of your countries and merchants: use GraphQL instead');
  return { ok: true, operator, approver };
}

function refuse(text: string): WhoActs {
  return { ok: false, why: 'refused', text };
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new InputProblem(`the token file ${path} cannot be read: ${fileProblem(error) ?? 'the system refuses it'}`);
  }
}
