import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type Domain, isUnavailable, type Log } from '@tidegate/domain';
import { addOperatorToken, createOperator, makeToken, type OperatorInput } from '@tidegate/domain/admin';
import type { Role } from '@tidegate/domain/operators';
import { openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { openMetrics } from '@tidegate/process';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import type { FastifyInstance } from 'fastify';
import { validateFirst } from '../src/execution/validate-first.ts';
import { createServer, type ServerOptions } from '../src/server.ts';
import { silentLive } from './silent-live.ts';

/** One line that was logged. */
export interface LogLine {
  level: keyof Log;
  fields: object;
  message: string;
}

/** A listening API on its own database. */
export interface ApiFixture extends TestDomain {
  url: string;
  databaseUrl: string;
  logged: LogLine[];
  /** The token of a new operator with these roles. */
  letIn(...roles: Role[]): Promise<string>;
  /** An operator restricted to some countries or merchants, with these roles; default: all except admin. */
  letInRestricted(to: Pick<OperatorInput, 'countries' | 'merchantIds'>, roles?: Role[]): Promise<string>;
  /** Another API on the same domain, with these options. */
  serve(options: Partial<ServerOptions>): Promise<string>;
}

let isValidated = false;

export async function openApiFixture(): Promise<ApiFixture> {
  const database = await createTestDatabase();
  const fixture = await openTestDomain(database.url);
  const servers: FastifyInstance[] = [];
  const logged: LogLine[] = [];
  const serve = async (options: Partial<ServerOptions>) => {
    const defaults = {
      domain: fixture.domain,
      live: silentLive(fixture.domain),
      log: logTo(logged),
      metrics: openMetrics('api'),
      openSchema: false,
      dependencies: {},
    } as const;
    const server = createServer({ ...defaults, ...options });
    servers.push(server);
    return server.listen({ port: 0, host: '127.0.0.1' });
  };
  // As a process does once before it listens.
  if (!isValidated) validateFirst();
  isValidated = true;
  const close = async () => {
    for (const server of servers) await server.close();
    await fixture.close();
    await database.drop();
  };
  return {
    ...fixture,
    url: await serve({}),
    databaseUrl: database.url,
    logged,
    letIn: (...roles) => letIn(fixture.domain, { roles }),
    letInRestricted: (to, roles = ['viewer', 'support', 'operator', 'finance']) =>
      letIn(fixture.domain, { roles, ...to }),
    serve,
    close,
  };
}

async function letIn(domain: Domain, rights: Omit<OperatorInput, 'operatorId' | 'name'>): Promise<string> {
  const operatorId = `op-${randomBytes(4).toString('hex')}`;
  const token = makeToken(randomBytes(32));
  await createOperator(domain, { operatorId, name: 'Test Operator', ...rights });
  await addOperatorToken(domain, operatorId, token);
  return token;
}

/** A test that only sees SERVICE_UNAVAILABLE could not tell why. */
function logTo(lines: LogLine[]): Log {
  const at = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
    const { err } = fields as { err?: unknown };
    if (level === 'error' && isUnavailable(err)) process.stderr.write(`${message}: ${inspect(err, { depth: 4 })}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export interface Answer {
  status: number;
  requestId: string | null;
  headers: Headers;
  data: { [field: string]: unknown } | null | undefined;
  errors: {
    message: string;
    path?: string[];
    extensions: { code: string; requestId: string; [key: string]: unknown };
  }[];
}

/** Sends a GraphQL request as a client would. */
export async function ask(
  url: string,
  query: string,
  options: { token?: string; variables?: object; init?: RequestInit } = {},
): Promise<Answer> {
  const { token, variables, init } = options;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
    ...init,
  });
  return readAnswer(response);
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { data, errors = [] } = (await response.json()) as Partial<Answer>;
  const { status, headers } = response;
  return { status, requestId: headers.get('x-request-id'), headers, data, errors };
}
