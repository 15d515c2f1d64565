import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FakeServer, Store } from '../../fake-provider/index.ts';
import type { Stored } from './records.ts';

/** One fake: its server, its records, and its account, whose webhook secret may change. */
export interface Context {
  server: FakeServer;
  store: Store<Stored>;
  account: Record<string, string>;
  webhookUrl: string | undefined;
  /** Webhooks that are still to be signed with another merchant's secret. */
  foreignSignatures: number;
  /** The next payment link is paid, and its webhook sent, before its create is answered. */
  paysBeforeAnswer: boolean;
}

export function recordsOf<Type extends Stored['type']>(
  { store }: Context,
  type: Type,
): Extract<Stored, { type: Type }>[] {
  return store.all().filter((one): one is Extract<Stored, { type: Type }> => one.type === type);
}

export function recordOf<Type extends Stored['type']>(
  { store }: Context,
  type: Type,
  id: string,
): Extract<Stored, { type: Type }> | undefined {
  const found = store.get(id);
  return found?.type === type ? (found as Extract<Stored, { type: Type }>) : undefined;
}

export function seconds({ server }: Context): number {
  return Math.floor(server.clock.now() / 1_000);
}

/** Razorpay's error body. Its status is 400 for nearly everything. */
export function refuse(reply: FastifyReply, description: string, field: string | null = null, status = 400) {
  return reply.code(status).send({
    error: {
      code: 'BAD_REQUEST_ERROR',
      description,
      source: 'business',
      step: null,
      reason: 'input_validation_failed',
      metadata: {},
      ...(field && { field }),
    },
  });
}

/** Whether a request has the key pair that its path needs. Both may be the same. */
export function isAuthorized({ account }: Context, request: FastifyRequest): boolean {
  const isOfX = /^\/v1\/(contacts|fund_accounts|payouts|transactions)/.test(request.url);
  const id = (isOfX && account.payoutKeyId) || account.keyId;
  const secret = (isOfX && account.payoutKeySecret) || account.keySecret;
  const expected = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return request.headers.authorization === expected;
}

export type Input = Record<string, unknown>;

/** The JSON object of a body, or null. */
export function readInput(request: FastifyRequest): Input | null {
  if (!(request.body instanceof Buffer)) return {};
  if (!String(request.headers['content-type'] ?? '').startsWith('application/json')) return null;
  try {
    const json: unknown = JSON.parse(request.body.toString('utf8'));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Input) : null;
  } catch {
    return null;
  }
}

/** The fields that this call does not have, as Razorpay complains about them. Null: none. */
export function problemOfFields(input: Input, known: readonly string[]): string | null {
  const extra = Object.keys(input).filter((name) => !known.includes(name));
  return extra.length === 0 ? null : `${extra.join(', ')} is/are not required and should not be sent`;
}

export function parameter(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

export function query(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** One page of a list, by `count` (10, at most 100) and `skip`, newest first. */
export function page<Item>(request: FastifyRequest, items: readonly Item[]): Item[] {
  const count = Math.min(100, Number(query(request, 'count') ?? 10));
  const skip = Number(query(request, 'skip') ?? 0);
  return items.toReversed().slice(skip, skip + count);
}
