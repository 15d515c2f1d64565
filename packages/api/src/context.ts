import { type Domain, type OperatorContext, operatorOfToken } from '@tidegate/domain';
import type { Live } from './live/open-live.ts';
import type { OperatorOfJwt } from './oidc.ts';
import { type Selection, unknownSelection } from './selection.ts';

/** What every resolver is given. */
export interface ApiContext {
  domain: Domain;
  /** Who asks; null without a valid token, and then every field is refused. */
  operator: OperatorContext | null;
  /** Who that is by now: for what goes on after its request was let in. */
  operatorNow(): Promise<OperatorContext | null>;
  /** What subscriptions live on. */
  live: Live;
  requestId: string;
  /** Aborted once nobody waits for the answer any more. */
  signal: AbortSignal;
  /** What its document selects. */
  selection: Selection;
}

/** What a request brings besides its GraphQL parameters. */
export interface RequestFacts {
  requestId: string;
  authorization: string | undefined;
}

/** Who lets operators in. */
export interface Door extends Pick<ApiContext, 'domain' | 'live'> {
  /** For tokens of an identity provider; without it only tokens of ours are taken. */
  operatorOfJwt?: OperatorOfJwt;
}

/**
 * Looks the operator up by `Authorization: Bearer <token>`: one of ours, or of the identity provider. Throws when the database, or the
 * provider, is away.
 */
export async function makeContext(
  door: Door,
  { requestId, authorization }: RequestFacts,
  signal: AbortSignal,
): Promise<ApiContext> {
  const token = /^Bearer +(\S{1,8192})$/i.exec(authorization ?? '')?.[1];
  const operatorNow = async (): Promise<OperatorContext | null> => {
    return token === undefined ? null : findOperator(door, token);
  };
  const { domain, live } = door;
  return { domain, live, requestId, signal, selection: unknownSelection, operator: await operatorNow(), operatorNow };
}

/** Whose token this is, one of ours or of the identity provider; null for a stranger's. Throws when the database, or the provider, is away. */
export async function findOperator(
  { domain, operatorOfJwt }: Omit<Door, 'live'>,
  token: string,
): Promise<OperatorContext | null> {
  if (token.startsWith('tgo_') || !operatorOfJwt) return operatorOfToken(domain, token);
  return operatorOfJwt(domain, token);
}

/** The operator of a request that passed its rights. */
export function operatorOf({ operator }: ApiContext): OperatorContext {
  if (operator === null) throw new Error('a field without rights was asked by a stranger');
  return operator;
}
