import { openSettlementFile, rejections } from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codeOf, statusOf } from '../export/export-route.ts';
import { problemOf } from '../operation/problems.ts';
import { answeringAway, callerOf, refuse, refuseAsBusy } from '../transfer/raw-routes.ts';
import { type DownloadRoutes, downloadsBusy } from '../transfer/transfer-slots.ts';

/** `GET /settlement-files/<number>`: a bank file as an attachment. Each download is recorded. */
export function addSettlementFileRoute(
  server: FastifyInstance,
  { domain, log, authenticate, downloads }: DownloadRoutes,
): void {
  // HEAD would record a download.
  const options = { onRequest: authenticate, exposeHeadRoute: false };
  server.get('/settlement-files/:fileNo', options, answeringAway(log, 'a bank file cannot be read', download));

  async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { fileNo = '' } = request.params as { fileNo?: string };
    const operator = callerOf(request);
    if (!(await downloads.take(operator.operatorId, reply.raw))) return refuseAsBusy(reply, request, downloadsBusy);
    const isNumber = /^SF[A-Z]{2}[0-9]{6,20}$/.test(fileNo);
    const done = isNumber
      ? await openSettlementFile(domain, operator, fileNo)
      : ({ ok: false, rejection: 'settlement_file_not_found' } as const);
    if (!done.ok) {
      const [kind] = rejections[done.rejection];
      return refuse(reply, request, codeOf[kind], statusOf[kind], problemOf(done).message);
    }
    const { found, content } = done.value;
    return reply
      .headers({
        'Content-Type': 'application/xml; charset=utf-8',
        'Content-Disposition': `attachment; filename="${found.fileNo}.xml"`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Cache-Control': 'no-store',
        ETag: `"${found.sha256}"`,
      })
      .send(content);
  }
}
