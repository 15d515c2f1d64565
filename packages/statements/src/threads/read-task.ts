import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { type StatementFormat, type StatementRow, StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { ReadingEnd, ReadingReply, ReadingRequest, ReadingTask } from './messages.ts';

/** Rows of one message. They take the other thread about a millisecond. */
const rowsOfMessage = 200;

class Stopped extends Error {}

/** The work of a thread: reads a statement in one of these formats, and sends its rows to the thread that asked. */
export function readTasksOf(formats: Readonly<Record<string, StatementFormat>>) {
  return async ({ format: name, options, port }: ReadingTask): Promise<ReadingEnd> => {
    const ask = askThrough(port);
    try {
      await ask({ kind: 'begin' });
      const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
      if (!format) throw new Error(`the format ${name} is not installed`);
      let rows: StatementRow[] = [];
      const send = async (): Promise<void> => {
        if (rows.length > 0) await ask({ kind: 'rows', rows });
        rows = [];
      };
      for await (const row of format.read(bytesThrough(ask, send), options)) {
        rows.push(row);
        if (rows.length >= rowsOfMessage) await send();
      }
      await send();
      return { ended: 'read' };
    } catch (error) {
      if (error instanceof Stopped) return { ended: 'stopped' };
      if (!(error instanceof StatementUnreadable)) throw error;
      return { ended: 'unreadable', reason: error.reason, detail: error.detail, lineNo: error.lineNo };
    } finally {
      port.close();
    }
  };
}

type Ask = (request: ReadingRequest) => Promise<ReadingReply>;

function askThrough(port: MessagePort): Ask {
  return async (request) => {
    const replied = once(port, 'message');
    port.postMessage(request);
    const [reply] = (await replied) as [ReadingReply];
    if (reply.kind === 'stop') throw new Stopped();
    return reply;
  };
}

/** The bytes of the file. Rows are sent before more bytes are asked for, so that none waits in this thread. */
async function* bytesThrough(ask: Ask, send: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (;;) {
    await send();
    const reply = await ask({ kind: 'bytes' });
    if (reply.kind !== 'bytes' || reply.bytes === null) return;
    yield reply.bytes;
  }
}
