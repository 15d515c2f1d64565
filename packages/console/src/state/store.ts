import { useSyncExternalStore } from 'react';

/** A value that components follow. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/** Makes a store with its first value. */
export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A store that the browser keeps under this key. `read` turns the kept text into a value, or null if it is of no use. */
export function createKeptStore<Value>(key: string, first: Value, read: (text: string) => Value | null): Store<Value> {
  const store = createStore(load(key, read) ?? first);
  return {
    ...store,
    set: (value) => {
      store.set(value);
      try {
        localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value));
      } catch {
        // Storage is blocked or full: the choice holds until the page is closed.
      }
    },
  };
}

function load<Value>(key: string, read: (text: string) => Value | null): Value | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : read(text);
  } catch {
    return null;
  }
}

/** The present value of a store; the component renders again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}
