import { readFileSync } from 'node:fs';
import { type Domain, type OperatorIdentity, operatorOfToken, type Role } from '@tidegate/domain';
import type { Settings } from './settings.ts';

/** What the command line says of who asks. */
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
  | { ok: true; operator: OperatorIdentity; approver: OperatorIdentity | null; token: string }
  | { ok: false; why: 'no_token' | 'refused'; text: string };

/** A file that was to be read and cannot be. */
export class InputProblem extends Error {}

/** The tokens: files first, then the environment, then a sandbox's own operators. Throws InputProblem. */
export function readTokens(options: TokenOptions, env: NodeJS.ProcessEnv, { sandboxTokens }: Settings): Tokens {
  const [own, other] = options.asApprover ? (['approver', 'admin'] as const) : (['admin', 'approver'] as const);
  const fromFile = (path: string | undefined) => (path === undefined ? null : readToken(path));
  const variable = options.asApprover ? null : env.TIDEGATE_OPERATOR_TOKEN || null;
  return {
    operator: fromFile(options.tokenFile) ?? variable ?? sandboxTokens?.[own] ?? null,
    approver:
      fromFile(options.approverTokenFile) ??
      (options.withApprover ? (sandboxTokens?.[other] ?? null) : env.TIDEGATE_APPROVER_TOKEN || null),
  };
}

/** Who the tokens let in, with the role that the command asks of both. */
export async function whoActs(domain: Domain, tokens: Tokens, role: Role | null): Promise<WhoActs> {
  if (tokens.operator === null)
    return { ok: false, why: 'no_token', text: 'no operator token: set TIDEGATE_OPERATOR_TOKEN or give --token-file' };
  const operator = await operatorOfToken(domain, tokens.operator);
  if (!operator) return refuse('the operator token is unknown, expired or revoked, or its operator is disabled');
  const approver = tokens.approver === null ? null : await operatorOfToken(domain, tokens.approver);
  if (tokens.approver !== null && !approver)
    return refuse("the second operator's token is unknown, expired or revoked, or its operator is disabled");
  if (approver?.operatorId === operator.operatorId)
    return refuse(`the second operator has to be somebody else than ${operator.operatorId}`);
  const lacking = [operator, approver].find((one) => one && role !== null && !one.roles.includes(role));
  if (lacking) return refuse(`${lacking.operatorId} lacks the role ${role}, which this command asks for`);
  return { ok: true, operator, approver, token: tokens.operator };
}

function refuse(text: string): WhoActs {
  return { ok: false, why: 'refused', text };
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new InputProblem(`the token file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
