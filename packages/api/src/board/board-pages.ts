import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import type { BoardQueues } from './open-board-queues.ts';

/**
 * Bull Board's pages and its API below `basePath`, as a server that does not listen. It answers every caller: the routes of
 * the board check them. A path that it does not know gets an empty 404.
 */
export async function openBoardPages(
  { queues }: BoardQueues,
  { basePath, manages }: { basePath: string; manages: boolean },
): Promise<FastifyInstance> {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(basePath);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: !manages })),
    serverAdapter,
    options: {
      uiConfig: {
        // Workers are found by CLIENT LIST, which shows the connections of all processes: no user may use it.
        showWorkers: false,
        boardTitle: manages ? 'Tidegate queues' : 'Tidegate queues, to look at',
        miscLinks: [{ text: 'Sign out', url: '/board/sign-out' }],
      },
    },
  });
  const pages = Fastify({ logger: false });
  pages.setNotFoundHandler((_request, reply) => reply.code(404).send());
  await pages.register(serverAdapter.registerPlugin(), { prefix: basePath });
  await pages.ready();
  return pages;
}
