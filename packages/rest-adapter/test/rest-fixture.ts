import { type KeyObject, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { BlockList } from 'node:net';
import type { Log, MerchantProfile, Order } from '@tidegate/domain';
import { keepKeyPair } from '@tidegate/domain/testing';
import { openMetrics } from '@tidegate/process';
import { connectRedis, type RedisConnection } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { signedHeaders } from '@tidegate/signature';
import type { FastifyInstance } from 'fastify';
import { type RestMetrics, restMetrics } from '../src/request/metrics.ts';
import type { RestDomain } from '../src/request/rest-domain.ts';
import { buildServer, type ServerParts } from '../src/server.ts';

export const merchantKeys = keepKeyPair();
export const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

/** A merchant in the state that a test needs. */
export function aProfile(change: Partial<MerchantProfile> = {}): MerchantProfile {
  return {
    merchantId: `CN-${randomUUID().slice(0, 8).toUpperCase()}`,
    name: 'Test Shop',
    country: 'CN',
    currency: 'CNY',
    status: 'active',
    payinEnabled: true,
    payoutEnabled: true,
    acceptDeprecatedFields: false,
    defaultNotifyUrl: null,
    ipAllowList: null,
    requestsPerSecond: 2000,
    requestBurst: 4000,
    limits: { payin: { minAmount: '0.01', maxAmount: '100.00' }, payout: { minAmount: '0.01', maxAmount: '100.00' } },
    keys: [{ keyId: 'key-1', publicKeyPem: publicPem(merchantKeys.publicKey), expiresAt: null }],
    feeRules: [],
    routes: [],
    mappings: [],
    ...change,
  };
}

export const anOrder: Order = {
  merchantId: 'CN-1',
  orderNo: 'PI0000000000000000000000001',
  merchantOrderNo: 'M-1',
  kind: 'payin',
  country: 'CN',
  currency: 'CNY',
  mode: 'upstream',
  isLive: false,
  status: 'created',
  amount: '100.50',
  feeAmount: '2.51',
  netAmount: '97.99',
  paidAmount: '0.00',
  feeTerms: { percent: '2.5', fixed: '0.00' },
  bankCode: null,
  channelId: 'sandbox',
  channelBankCode: null,
  channelRef: null,
  payLink: null,
  payQr: null,
  notifyUrl: null,
  details: {},
  failureReason: null,
  contradiction: null,
  task: null,
  nextAction: null,
  nextActionAt: null,
  attempt: 0,
  expiresAt: null,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  completedAt: null,
  traceparent: null,
  commandId: null,
  batchNo: 1,
};

/**
 * A domain without a database: the merchants of `profiles`, and one order that every create returns and every query
 * finds.
 */
export function aDomain(profiles: Map<string, MerchantProfile>, change: Partial<RestDomain> = {}): RestDomain {
  return {
    merchant: async (merchantId) => profiles.get(merchantId) ?? null,
    keyUsed: () => undefined,
    createPayin: async () => ({ ok: true, value: anOrder }),
    createPayout: async () => ({ ok: false, rejection: 'operation_not_available' }),
    readWallet: unwanted,
    readWalletPage: unwanted,
    findOrder: async () => anOrder,
    payUrlOf: (orderNo) => `http://pay.test/checkout/${orderNo}`,
    findCheckout: async () => null,
    readQrImage: async () => null,
    takeCallback: async () => ({ outcome: 'taken', reply: null }),
    serviceKey: async () => null,
    notifyNetworks: new BlockList(),
    ready: async () => undefined,
    ...change,
  };
}

async function unwanted(): Promise<never> {
  throw new Error('this domain has no wallets');
}

export interface Fixture {
  url: string;
  server: FastifyInstance;
  port: number;
  redis: RedisConnection;
  metrics: RestMetrics;
  /** The log, as JSON. */
  logged: string[];
  profiles: Map<string, MerchantProfile>;
  merchant(change?: Partial<MerchantProfile>): MerchantProfile;
  close(): Promise<void>;
}

/** Starts the adapter on a free port, with its own Redis. */
export async function startFixture(
  change: { domain?: Partial<RestDomain>; redisUrl?: string } & Partial<Omit<ServerParts, 'domain'>> = {},
): Promise<Fixture> {
  const logged: string[] = [];
  const keep = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }));
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  const { domain, redisUrl = (await createTestRedis()).url, ...parts } = change;
  const redis = connectRedis(redisUrl, 'commands', log);
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  const profiles = new Map<string, MerchantProfile>();
  const metrics = restMetrics(openMetrics('rest-adapter'));
  const server = buildServer({
    domain: aDomain(profiles, domain),
    redis,
    log,
    metrics,
    environment: 'sandbox',
    trustedProxies: 0,
    publicBaseUrl: 'https://pay.test/',
    sandboxReceiverUrl: 'http://receiver.test:18091',
    ...parts,
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    port,
    redis,
    metrics,
    logged,
    profiles,
    merchant: (wanted) => {
      const profile = aProfile(wanted);
      profiles.set(profile.merchantId, profile);
      return profile;
    },
    close: async () => {
      server.server.closeAllConnections();
      await server.close();
      redis.disconnect();
    },
  };
}

export const createPath = '/api/v1/merchant/payin/create';
export const queryPath = '/api/v1/merchant/payin/query';

export const aBody = (change: Record<string, unknown> = {}) =>
  JSON.stringify({ merchantOrderNo: 'M-1', countryCode: 'CN', currency: 'CNY', amount: '100.50', ...change });

interface Signing {
  key?: KeyObject;
  timestamp?: string;
  nonce?: string;
}

export async function signedPost(merchantNo: string, body: string, signing: Signing = {}): Promise<RequestInit> {
  const headers = await signedHeaders({ merchantNo, body, key: merchantKeys.privateKey, ...signing });
  return { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } };
}

export async function signedGet(merchantNo: string, query: string, signing: Signing = {}): Promise<RequestInit> {
  return { headers: await signedHeaders({ merchantNo, query, key: merchantKeys.privateKey, ...signing }) };
}

export interface Envelope {
  code: number;
  msg: string;
  data: Record<string, unknown> | null;
}

/** Sends a request, and checks the common parts of every answer with an envelope. */
export async function ask(url: string, init: RequestInit = {}): Promise<{ response: Response } & Envelope> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.headers.get('content-type') !== 'application/json; charset=utf-8')
    throw new Error(`no envelope: ${text}`);
  if (!/^[A-Za-z0-9_-]{8,64}$/.test(response.headers.get('x-request-id') ?? '')) throw new Error('no X-Request-Id');
  const envelope: Envelope = JSON.parse(text);
  if (Object.keys(envelope).join() !== 'code,msg,data') throw new Error(`not the envelope: ${text}`);
  return { response, ...envelope };
}

/** The value in Redis of a budget that is spent for most of the next minute. A time further ahead counts as none. */
export function spentBucket(): string {
  return String((Date.now() + 55_000) * 1_000);
}
