import type { Readable } from 'node:stream';
import { type Country, countries, type Domain, type Log } from '@tidegate/domain';
import {
  hasRole,
  largestUpload,
  mayAccess,
  operations,
  problemOfUploads,
  receiveStatement,
} from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../console/authenticate.ts';
import { answeringAway, callerOf, refuse, refuseAsBusy } from '../transfer/raw-routes.ts';
import { openUploadSlots } from '../transfer/transfer-slots.ts';

/**
 * `POST /statements?country=PK&name=<file name>` with the statement as body. It is stored as it comes, in chunks. The answer has its number for
 * `importStatement`. Rights and limits are checked before the body is read, and an operator uploads one file at a time.
 */
export function addStatementRoute(
  server: FastifyInstance,
  { domain, log, authenticate }: { domain: Domain; log: Log; authenticate: Authenticate },
): void {
  const slots = openUploadSlots();
  const problem = 'a statement cannot be stored';
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const operator = callerOf(request);
    const country = countryIn(request);
    if (!country)
      return refuse(reply, request, 'BAD_USER_INPUT', 400, `country must be one of ${countries.join(', ')}`);
    const mayImport =
      hasRole(operator, operations.importStatement.roles) &&
      mayAccess(operator, { merchantId: tenantOf(country), country });
    if (!mayImport) return refuse(reply, request, 'FORBIDDEN', 403, 'you may not import statements of this country');
    if (!(await slots.take(operator.operatorId, reply.raw))) return refuseAsBusy(reply, request);
    const limit = await problemOfUploads(domain, operator.operatorId);
    return limit === null ? undefined : refuse(reply, request, 'CONFLICT', 409, limit);
  };
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body stays a stream: it is never held as a whole.
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post(
      '/statements',
      { onRequest: [authenticate, answeringAway(log, problem, admit)], bodyLimit: largestUpload },
      answeringAway(log, problem, upload),
    );
  });

  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const country = countryIn(request);
    if (!country) throw new Error('a statement was read without its country');
    const { operatorId: uploadedBy } = callerOf(request);
    const file = { tenant: tenantOf(country), name: nameIn(request), uploadedBy, largest: largestUpload };
    const received = await receiveStatement(domain, file, bodyOf(request));
    if (!received.ok) {
      const reason =
        received.problem === 'empty' ? 'the file is empty' : `a statement has at most ${largestUpload} bytes`;
      return refuse(reply, request, 'BAD_USER_INPUT', received.problem === 'empty' ? 400 : 413, reason);
    }
    const { fileNo, name, size, sha256 } = received.file;
    return reply.code(201).send({ statement: { fileNo, name, size, sha256 } });
  }
}

async function* bodyOf({ body }: FastifyRequest): AsyncGenerator<Uint8Array> {
  if (body != null) yield* body as Readable;
}

function tenantOf(country: Country): string {
  return `PLATFORM-${country}`;
}

function countryIn({ query }: FastifyRequest): Country | null {
  const { country } = query as Record<string, unknown>;
  return countries.find((one) => one === country) ?? null;
}

/** The name that people see in lists; control characters are left out. */
function nameIn({ query }: FastifyRequest): string {
  const { name } = query as Record<string, unknown>;
  const plain =
    typeof name === 'string'
      ? name
          .toWellFormed()
          .replace(/\p{Cc}/gu, '')
          .trim()
          .slice(0, 100)
      : '';
  return plain === '' ? 'statement' : plain.toWellFormed();
}
