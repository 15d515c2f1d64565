import { Readable } from 'node:stream';
import { type ExportFormat, openDownload, rejections } from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from '../operation/problems.ts';
import { answeringAway, callerOf, refuse, refuseAsBusy } from '../transfer/raw-routes.ts';
import { type DownloadRoutes, downloadsBusy } from '../transfer/transfer-slots.ts';

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html; charset=utf-8',
};

/** The HTTP status of each refusal. */
export const statusOf = { invalid: 400, not_found: 404, not_allowed: 403, conflict: 409 } as const;
export const codeOf = {
  invalid: 'BAD_USER_INPUT',
  not_found: 'NOT_FOUND',
  not_allowed: 'FORBIDDEN',
  conflict: 'CONFLICT',
} as const;

/** A client that reads nothing for this time is disconnected, in ms, because it holds a slot. */
const stalledMs = 60_000;

/** `GET /exports/<id>`: the file of an export as an attachment, chunk by chunk as fast as the client reads. Each download is recorded. */
export function addExportRoute(
  server: FastifyInstance,
  { domain, log, authenticate, downloads }: DownloadRoutes,
): void {
  // HEAD would read the whole file, and record a download.
  const options = { onRequest: authenticate, exposeHeadRoute: false };
  server.get('/exports/:id', options, answeringAway(log, 'an export cannot be read', download));

  async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id = '' } = request.params as { id?: string };
    const operator = callerOf(request);
    if (!(await downloads.take(operator.operatorId, reply.raw))) return refuseAsBusy(reply, request, downloadsBusy);
    const done = await openDownload(domain, operator, id);
    if (!done.ok) {
      const [kind] = rejections[done.rejection];
      return refuse(reply, request, codeOf[kind], statusOf[kind], problemOf(done).message);
    }
    const { found, content } = done.value;
    const stream = whileTaken(content, () => reply.raw.destroy());
    const body = Readable.from(stream, { objectMode: false, highWaterMark: 1 });
    body.on('error', (err) =>
      log.warn({ requestId: request.id, exportId: found.exportId, err }, 'a download broke off'),
    );
    return reply
      .headers({
        'Content-Type': mediaTypes[found.format],
        'Content-Length': found.size,
        'Content-Disposition': `attachment; filename="${found.name}"`,
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-origin',
        ETag: `"${found.sha256}"`,
      })
      .send(body);
  }
}

/** Calls `stalled` if the client does not read a chunk in time. */
async function* whileTaken(content: AsyncIterable<Buffer>, stalled: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const timer = setTimeout(stalled, stalledMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}
