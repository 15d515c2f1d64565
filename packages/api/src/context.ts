import type { Domain } from '@tidegate/domain';
import { type OperatorContext, operatorOfToken } from '@tidegate/domain/operators';
import type { Live } from './live/open-live.ts';
import type { OperatorOfJwt } from './oidc.ts';
import { type Selection, unknownSelection } from './selection.ts';

/** What every resolver is given. */
export interface ApiContext {
  domain: Domain;
  /** Who asks. In a subscription null once the token is no longer valid, and then every field is refused. */
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
  /** Up to how many rows `totalCount` is exact; undefined: the default of lists. */
  mostCounted: number | undefined;
}

/** What a request brings besides its GraphQL parameters. */
export interface RequestFacts {
  requestId: string;
  operator: OperatorContext;
  token: string;
}

/** What tells operators from unknown callers. */
export interface OperatorLookup extends Pick<ApiContext, 'domain' | 'live'> {
  /** For tokens of an identity provider; without it only tokens of ours are taken. */
  operatorOfJwt?: OperatorOfJwt;
  mostCounted?: number;
}

/** The context of one request, whose caller is known already. */
export function makeContext(
  lookup: OperatorLookup,
  { requestId, operator, token }: RequestFacts,
  signal: AbortSignal,
): ApiContext {
  const { domain, live, mostCounted } = lookup;
  const operatorNow = () => findOperator(lookup, token);
  return { domain, live, requestId, signal, selection: unknownSelection, mostCounted, operator, operatorNow };
}

/** The token of `Authorization: Bearer <token>`; undefined where there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S{1,8192})$/i.exec(authorization ?? '')?.[1];
}

/** Whose token this is, one of ours or of the identity provider; null for an unknown caller's. Throws when the database, or the provider, is away. */
export async function findOperator(
  { domain, operatorOfJwt }: Omit<OperatorLookup, 'live'>,
  token: string,
): Promise<OperatorContext | null> {
  if (token.startsWith('tgo_') || !operatorOfJwt) return operatorOfToken(domain, token);
  return operatorOfJwt(domain, token);
}

/** The operator of a request that passed its rights. */
export function operatorOf({ operator }: ApiContext): OperatorContext {
  if (operator === null) throw new Error('a field without rights was asked by an unknown caller');
  return operator;
}
