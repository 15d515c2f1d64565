import { createStore } from '../preferences/store.ts';

/** How the console reaches the API. */
export interface Connection {
  /** Whether the last request got an answer. */
  isReachable: boolean;
  /** Streams by their state. */
  open: number;
  lost: number;
}

export const connection = createStore<Connection>({ isReachable: true, open: 0, lost: 0 });

/** Notes whether a request got an answer. */
export function noteReachable(isReachable: boolean): void {
  if (connection.get().isReachable !== isReachable) connection.set({ ...connection.get(), isReachable });
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
