import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

// A server between the browser and the API. It passes everything on, and adds orders to the live list at an exact rate, which real orders
// on a busy machine would not keep. The added orders are copies of a real one with numbers of their own.

/** An order as the console's list asks for it. */
interface Row {
  orderNo: string;
  createdAt: string;
  updatedAt: string;
  status: string;
  [more: string]: unknown;
}
interface OrderList {
  data?: { orders?: { edges: { cursor: string; node: Row }[] } };
}

export interface BusyStream {
  /** Takes the place of the API's address. */
  origin: string;
  /** Sends so many changes a second for this time: new orders, and their way to the end. Returns the number sent, and the last order's number. */
  send(perSecond: number, ms: number): Promise<{ sent: number; lastOrderNo: string }>;
  close(): Promise<void>;
}

const STATUSES = ['CREATED', 'PROCESSING', 'COMPLETED'];
/** As many rows as a page of the list has. */
const PAGE = 50;

export async function openBusyStream(api: string): Promise<BusyStream> {
  const streams = new Set<ServerResponse>();
  /** The newest added orders, newest first: a page that is read again has them too. */
  let added: Row[] = [];
  let sample: Row | null = null;
  let next: (() => Row) | null = null;
  const note = (events: string) => {
    const found = /^data: (\{"data":\{"orderChanged":\{.*\})$/m.exec(events)?.[1];
    if (found !== undefined) sample = JSON.parse(found).data.orderChanged;
    return found !== undefined;
  };
  const server = createServer((request, answer) => {
    const body: Buffer[] = [];
    request.on('data', (chunk) => body.push(chunk));
    request.on('end', () => {
      const passed = openRequest(new URL(request.url ?? '/', api), {
        method: request.method,
        headers: headersOf(request.headers),
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      passed.on('response', (given) => {
        given.on('error', () => answer.destroy());
        const isStream = given.headers['content-type']?.startsWith('text/event-stream') ?? false;
        const isList = Buffer.concat(body).includes('"operationName":"OrderList"');
        if (isStream) passEvents(given, answer, { streams, note });
        else if (isList) passList(given, answer, () => added).catch(() => answer.destroy());
        else given.pipe(answer.writeHead(given.statusCode ?? 502, given.headers));
      });
      passed.end(Buffer.concat(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: async (perSecond, ms) => {
      if (!sample || streams.size === 0) throw new Error('no order has come by the stream yet');
      next ??= changesOf(sample);
      const began = performance.now();
      let sent = 0;
      let lastOrderNo = '';
      for (let passed = 0; sent < (ms / 1_000) * perSecond; passed = performance.now() - began) {
        for (const due = Math.floor((Math.min(passed, ms) / 1_000) * perSecond); sent < due; sent += 1) {
          const row = next();
          lastOrderNo = row.orderNo;
          added = [row, ...added.filter(({ orderNo }) => orderNo !== row.orderNo)].slice(0, PAGE);
          const event = `event: next\ndata: ${JSON.stringify({ data: { orderChanged: row } })}\n\n`;
          for (const stream of streams) stream.write(event);
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return { sent, lastOrderNo };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Gives one change after the other. Each order is new, then in progress, then completed. */
function changesOf(sample: Row): () => Row {
  let order = 0;
  let row: Row | null = null;
  return () => {
    const at = new Date().toISOString();
    const status = STATUSES[row === null ? 0 : STATUSES.indexOf(row.status) + 1];
    if (row !== null && status !== undefined) row = { ...row, status, updatedAt: at };
    else {
      order += 1;
      const orderNo = `${sample.orderNo.slice(0, -7)}${order.toString(36).toUpperCase().padStart(7, '0')}`;
      const own = { id: `added-${order}`, orderNo, merchantOrderNo: `ADDED-${order}` };
      row = { ...sample, ...own, status: STATUSES[0] ?? '', createdAt: at, updatedAt: at, completedAt: null };
    }
    return row;
  };
}

/** Compressed answers could not be read here. */
function headersOf({ 'accept-encoding': accepted, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers['content-type']?.startsWith('application/json')
    ? headers
    : { ...headers, 'accept-encoding': accepted };
}

interface Noting {
  streams: Set<ServerResponse>;
  /** Whether an event belongs to the live list. */
  note(text: string): boolean;
}

/** Passes whole events on, so that others fit in between. */
function passEvents(request: IncomingMessage, answer: ServerResponse, { streams, note }: Noting): void {
  answer.writeHead(request.statusCode ?? 502, request.headers);
  answer.flushHeaders();
  answer.on('close', () => streams.delete(answer));
  let rest = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n\n');
    const events = end === -1 ? '' : text.slice(0, end + 2);
    rest = text.slice(events.length);
    if (events !== '') answer.write(events);
    if (note(events)) streams.add(answer);
  });
  request.on('end', () => answer.end(rest));
}

/** A page of the list, with the added orders on top. */
async function passList(request: IncomingMessage, answer: ServerResponse, added: () => readonly Row[]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const list = JSON.parse(Buffer.concat(chunks).toString()) as OrderList;
  const orders = list.data?.orders;
  if (orders)
    orders.edges = [...added().map((node) => ({ cursor: node.orderNo, node })), ...orders.edges].slice(0, PAGE);
  const body = Buffer.from(JSON.stringify(list));
  const { 'content-length': _, 'transfer-encoding': __, ...headers } = request.headers;
  answer.writeHead(request.statusCode ?? 502, { ...headers, 'content-length': body.length }).end(body);
}
