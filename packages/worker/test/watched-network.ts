import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { answering, deliverWith, serve, to } from './delivery-fixture.ts';

/** A URL, the DNS answer for its name, and the allowed private networks. */
export interface Case {
  url: string;
  dns: readonly string[];
  allowed: readonly string[];
}

export interface WatchedNetwork {
  /**
   * Makes one attempt, and returns its outcome: `93.184.216.34:80` if delivered, else the error and the address of the
   * attempt log.
   */
  attempt(one: Case): Promise<string>;
  /** Fails if the last attempt dialled, opened a socket, or reached the receiver. */
  expectNothingLeft(): void;
}

/** A receiver that plays the internet: every dialled address is connected to it and recorded. */
export async function watchNetwork(): Promise<WatchedNetwork> {
  const dialled: string[] = [];
  let [requests, sockets] = [0, 0];
  const url = await serve((request, response) => {
    requests += 1;
    answering(200, 'OK')(request, response);
  });
  const receiverPort = Number(new URL(url).port);
  // Every client socket that an attempt opens, by any API. The pools of this process open sockets too, at any time.
  const attempting = new AsyncLocalStorage<true>();
  subscribe('net.client.socket', () => {
    if (attempting.getStore()) sockets += 1;
  });
  return {
    async attempt({ url, dns, allowed }) {
      [dialled.length, requests, sockets] = [0, 0, 0];
      const dial = (address: string, port: number) => {
        dialled.push(address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`);
        return connect(receiverPort, '127.0.0.1');
      };
      const deliver = deliverWith({ resolve: async () => dns, dial }, allowed);
      const { acknowledged, error, address } = await attempting.run(true, () => deliver(to(url)));
      if (!acknowledged) return [error, address].filter((part) => part !== null).join(' ');
      expect({ dialled, requests, sockets }).toEqual({ dialled: [address], requests: 1, sockets: 1 });
      return String(address);
    },
    expectNothingLeft: () => expect({ dialled, requests, sockets }).toEqual({ dialled: [], requests: 0, sockets: 0 }),
  };
}
