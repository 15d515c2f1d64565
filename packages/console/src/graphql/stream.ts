import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { CONSOLE_HEADER, leave } from '../session/session.ts';
import { pause } from '../state/pause.ts';
import { persistedQueryOf } from '../state/stub.ts';
import { noteStream } from './connection.ts';
import { readEvents } from './read-events.ts';

/** The API sends something every 12 s. After this time in silence the connection is dead. */
const SILENCE_MS = 30_000;
const MAX_WAIT_MS = 15_000;

export interface Listener<Data> {
  onData(data: Data): void;
  /** The stream is open, for the first time or again. No message tells what changed before: read it now. */
  onOpen(): void;
}

/** Follows a subscription until the returned function is called. A broken stream opens again by itself. */
export function openStream<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  listener: Listener<Data>,
): () => void {
  const closing = new AbortController();
  const stream = {};
  const body = JSON.stringify({ query: '', variables, extensions: persistedQueryOf(document) });
  const run = async () => {
    noteStream(stream, 'connecting');
    for (let failures = 0; !closing.signal.aborted; ) {
      const outcome = await follow<Data>(body, closing.signal, {
        onOpen: () => {
          failures = 0;
          noteStream(stream, 'open');
          listener.onOpen();
        },
        onData: listener.onData,
      });
      if (outcome === 'signed out' || closing.signal.aborted) break;
      noteStream(stream, 'lost');
      await pause(Math.min(MAX_WAIT_MS, 500 * 2 ** failures), closing.signal);
      failures += 1;
    }
  };
  void run().finally(() => noteStream(stream, null));
  return () => closing.abort();
}

interface Following<Data> {
  onOpen(): void;
  onData(data: Data): void;
}

/** Opens one connection and reads it to its end. */
async function follow<Data>(
  body: string,
  closing: AbortSignal,
  { onOpen, onData }: Following<Data>,
): Promise<'ended' | 'signed out'> {
  const ending = new AbortController();
  let silence = setTimeout(() => ending.abort(), SILENCE_MS);
  const noteBytes = () => {
    clearTimeout(silence);
    silence = setTimeout(() => ending.abort(), SILENCE_MS);
  };
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { ...CONSOLE_HEADER, 'content-type': 'application/json', accept: 'text/event-stream' },
      body,
      signal: AbortSignal.any([closing, ending.signal]),
    });
    if (response.status === 401) {
      leave();
      return 'signed out';
    }
    if (!response.ok || !response.body) return 'ended';
    onOpen();
    for await (const text of readEvents(response.body, noteBytes)) {
      const { data } = JSON.parse(text) as { data?: Data | null };
      if (data) onData(data);
    }
  } catch {
    // The network failed, or nothing arrived for too long.
  } finally {
    clearTimeout(silence);
  }
  return 'ended';
}
