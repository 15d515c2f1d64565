import { decodeGlobalID } from '@pothos/plugin-relay';
import {
  attachFile,
  bookingNoSchema,
  type FileOwner,
  largestFile,
  problemOfWork,
  type Refused,
  readFile,
  rejections,
} from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from '../operation/problems.ts';
import { answeringAway, callerOf, refuse, refuseAsBusy } from '../transfer/raw-routes.ts';
import { type DownloadRoutes, downloadsBusy, openUploadSlots } from '../transfer/transfer-slots.ts';
import { pathOfFile, readFileId } from './file-id.ts';
import { workItemOf } from './work-item.ts';

/**
 * `POST /files?on=<global id>&name=<file name>` with the file as body, and `GET /files?id=<id>`. The caller, the rights and the owner of the
 * file are looked up before the body is read. An operator uploads one file at a time.
 */
export function addFileRoutes(server: FastifyInstance, { domain, log, authenticate, downloads }: DownloadRoutes): void {
  const slots = openUploadSlots();
  const problem = 'a file cannot be stored or read';
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const operator = callerOf(request);
    const owner = ownerIn(request);
    if (!owner)
      return refuse(
        reply,
        request,
        'BAD_USER_INPUT',
        400,
        'on must be the id of an order, a case or, with bookingNo, a wallet',
      );
    const refused = await problemOfWork(domain, operator, owner);
    if (refused) return refuseAs(reply, request, refused);
    if (await slots.take(operator.operatorId, reply.raw)) return undefined;
    return refuseAsBusy(reply, request);
  };
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The content alone decides what it is, whatever it is called.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestFile }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      '/files',
      { onRequest: [authenticate, answeringAway(log, problem, admit)], bodyLimit: largestFile },
      answeringAway(log, problem, upload),
    );
    scope.get('/files', { onRequest: authenticate }, answeringAway(log, problem, download));
  });

  async function upload(request: FastifyRequest, reply: FastifyReply) {
    const owner = ownerIn(request);
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (!owner) throw new Error('a file was read without its owner');
    const done = await attachFile(domain, callerOf(request), owner, { name: queryOf(request).name ?? '', content });
    if (!done.ok) return refuseAs(reply, request, done);
    const { fileNo, sha256, name, mediaType, size } = done.value;
    return reply.code(201).send({ file: { fileNo, sha256, name, mediaType, size, path: pathOfFile(done.value) } });
  }

  async function download(request: FastifyRequest, reply: FastifyReply) {
    const operator = callerOf(request);
    if (!(await downloads.take(operator.operatorId, reply.raw))) return refuseAsBusy(reply, request, downloadsBusy);
    const ref = readFileId(queryOf(request).id ?? '');
    const done = ref ? await readFile(domain, operator, ref) : absent;
    if (!done.ok) return refuseAs(reply, request, done);
    const { file, content } = done.value;
    return reply
      .headers({
        'Content-Type': file.mediaType,
        'Content-Disposition': `attachment; filename="file"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      .send(content);
  }
}

const absent: Refused = { ok: false, rejection: 'file_not_found' };

function queryOf({ query }: FastifyRequest): { on?: string; name?: string; bookingNo?: string; id?: string } {
  const fields = query as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}

/** What a file is about, by the query of its request; null: nothing that files are about. */
function ownerIn(request: FastifyRequest): FileOwner | null {
  const { on = '', bookingNo } = queryOf(request);
  if (on.length > 200) return null;
  try {
    const id = decodeGlobalID(on);
    if (id.typename === 'Wallet' && bookingNo !== undefined)
      return bookingNoSchema('').safeParse(bookingNo).success
        ? { type: 'booking', merchantId: id.id, bookingNo }
        : null;
    const item = workItemOf(id);
    return item.type === 'merchant' || bookingNo !== undefined ? null : item;
  } catch {
    return null;
  }
}

const statusOf = { invalid: 415, not_found: 404, not_allowed: 403, conflict: 409 } as const;
const codeOf = {
  invalid: 'UNSUPPORTED_MEDIA_TYPE',
  not_found: 'NOT_FOUND',
  not_allowed: 'FORBIDDEN',
  conflict: 'CONFLICT',
} as const;

function refuseAs(reply: FastifyReply, request: FastifyRequest, refused: Refused): FastifyReply {
  const [kind] = rejections[refused.rejection];
  return refuse(reply, request, codeOf[kind], statusOf[kind], problemOf(refused).message);
}
