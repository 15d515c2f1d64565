import { setTimeout as delay } from 'node:timers/promises';

/** One event of a subscription: a result, or its end. */
export interface Message {
  event: string;
  data: { data?: Record<string, unknown> | null; errors?: { message: string; extensions: Record<string, unknown> }[] };
}

/** A client of a subscription over server-sent events. */
export interface EventStream {
  response: Response;
  /** The next event, within 10 s; undefined after the server has closed the stream. */
  next(): Promise<Message | undefined>;
  /** Whether nothing arrives for this time. An event that arrives is kept for `next`. */
  isQuiet(forMs: number): Promise<boolean>;
  /** The comments so far, which keep the connection alive. */
  comments(): number;
  /** Disconnects without closing the subscription. */
  leave(): void;
}

/** Subscribes, and waits for the head of the answer, which comes when the stream is open. */
export async function listen(
  url: string,
  query: string,
  options: { token?: string; variables?: object; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const { token, variables, headers } = options;
  const going = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    signal: going.signal,
  });
  let comments = 0;
  const blocks = blocksOf(response);
  const read = async (): Promise<Message | undefined> => {
    for await (const block of { [Symbol.asyncIterator]: () => ({ next: () => blocks.next() }) }) {
      if (block.startsWith(':')) comments += 1;
      else return readEvent(block);
    }
    return undefined;
  };
  let coming: Promise<Message | undefined> | null = null;
  const awaited = () => {
    coming ??= read();
    return coming;
  };
  return {
    response,
    next: async () => {
      const messages = await Promise.race([
        awaited(),
        delay(10_000, null, { ref: false }).then(() => Promise.reject(new Error('no event within 10 s'))),
      ]);
      coming = null;
      return messages;
    },
    isQuiet: (forMs) => Promise.race([awaited().then(() => false), delay(forMs, true)]),
    comments: () => comments,
    leave: () => going.abort(),
  };
}

/** The parts between empty lines, one by one. */
async function* blocksOf(response: Response): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
  if (text !== '') throw new Error(`the stream was cut off: ${text}`);
  return undefined;
}

function readEvent(block: string): Message {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const data = fields.get('data') ?? '';
  return { event: fields.get('event') ?? '', data: data === '' ? {} : JSON.parse(data) };
}
