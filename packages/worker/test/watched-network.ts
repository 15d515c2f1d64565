import { subscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { answering, deliverWith, serve, to } from './delivery-fixture.ts';

/** One URL, what DNS answers for its name, and the networks that are allowed beyond the public ones. */
export interface Case {
  url: string;
  dns: readonly string[];
  allowed: readonly string[];
}

export interface WatchedNetwork {
  /** Makes one attempt, and says what came of it: `93.184.216.34:80` where it was delivered, else the class and the address of the attempt log. */
  attempt(one: Case): Promise<string>;
  /** Fails if the last attempt dialled anything, made any socket at all, or reached the receiver. */
  expectNothingLeft(): void;
}

/** A receiver that stands for the internet: whatever address is dialled, its answer comes from there, and the address is written down. */
export async function watchNetwork(): Promise<WatchedNetwork> {
  const dialled: string[] = [];
  let [requests, sockets] = [0, 0];
  const url = await serve((request, response) => {
    requests += 1;
    answering(200, 'OK')(request, response);
  });
  const receiverPort = Number(new URL(url).port);
  // Every client socket that this process makes, by whatever way.
  subscribe('net.client.socket', () => {
    sockets += 1;
  });
  return {
    async attempt({ url, dns, allowed }) {
      [dialled.length, requests, sockets] = [0, 0, 0];
      const dial = (address: string, port: number) => {
        dialled.push(address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`);
        return connect(receiverPort, '127.0.0.1');
      };
      const { acknowledged, error, address } = await deliverWith({ resolve: async () => dns, dial }, allowed)(to(url));
      if (!acknowledged) return [error, address].filter((part) => part !== null).join(' ');
      expect({ dialled, requests, sockets }).toEqual({ dialled: [address], requests: 1, sockets: 1 });
      return String(address);
    },
    expectNothingLeft: () => expect({ dialled, requests, sockets }).toEqual({ dialled: [], requests: 0, sockets: 0 }),
  };
}
