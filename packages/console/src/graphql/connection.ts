import { readSession } from '../session/session.ts';
import { pause } from '../state/pause.ts';
import { createStore } from '../state/store.ts';

/** How the console reaches the API. */
export interface Connection {
  /** Whether the last request got an answer. */
  isReachable: boolean;
  /** Streams by their state. */
  open: number;
  lost: number;
}

export const connection = createStore<Connection>({ isReachable: true, open: 0, lost: 0 });

/** Counts how often the API became reachable again: what failed before can be tried again. */
export const reconnected = createStore(0);

const WAIT_MS = 3_000;
let isReconnecting = false;

/** Notes whether a request got an answer. After a failure the API is asked again until it answers. */
export function noteReachable(isReachable: boolean): void {
  const now = connection.get();
  if (now.isReachable === isReachable) return;
  connection.set({ ...now, isReachable });
  if (isReachable) reconnected.set(reconnected.get() + 1);
  else void reconnect();
}

async function reconnect(): Promise<void> {
  if (isReconnecting) return;
  isReconnecting = true;
  while (!connection.get().isReachable) {
    await pause(WAIT_MS, null);
    await readSession().then(
      () => noteReachable(true),
      () => undefined,
    );
  }
  isReconnecting = false;
}

export type StreamState = 'connecting' | 'open' | 'lost';

const streams = new Map<object, StreamState>();

/** Notes the state of a stream; null once it is closed. */
export function noteStream(stream: object, state: StreamState | null): void {
  if (state === null) streams.delete(stream);
  else streams.set(stream, state);
  const states = [...streams.values()];
  const count = (wanted: StreamState) => states.filter((one) => one === wanted).length;
  connection.set({ ...connection.get(), open: count('open'), lost: count('lost') });
}
