import type { Socket } from 'node:net';
import { type Destination, withPort } from '@tidegate/upstream/outgoing';
import { type Connection, makeConnection } from './connection.ts';

/** The most idle connections. A merchant that invents hosts must not fill the process with connections. */
const maxKept = 256;

/** Idle connections that can be used again, but only for an address that was checked for the same attempt. */
export interface KeptConnections {
  add(opened: { origin: string; address: string; socket: Socket }): Connection;
  /** An idle connection to one of the destination's current addresses. */
  take(destination: Destination): Connection | undefined;
  /** Keeps a connection after a complete reply. */
  keep(connection: Connection): void;
  endAll(): void;
}

export function keepConnections(): KeptConnections {
  const open = new Set<Connection>();
  const idle = new Map<string, Connection[]>();
  let kept = 0;
  const keyOf = (origin: string, address: string): string => `${origin} ${address}`;
  const leaveIdle = (connection: Connection): void => {
    const key = keyOf(connection.origin, connection.address);
    const others = (idle.get(key) ?? []).filter((one) => one !== connection);
    kept -= (idle.get(key)?.length ?? 0) - others.length;
    if (others.length > 0) idle.set(key, others);
    else idle.delete(key);
  };
  const ended = (connection: Connection): void => {
    leaveIdle(connection);
    open.delete(connection);
  };
  return {
    add(opened) {
      const connection = makeConnection(opened, ended);
      open.add(connection);
      return connection;
    },
    take({ url, port, addresses }) {
      const keys = addresses.map((ip) => keyOf(url.origin, withPort(ip, port)));
      const found = keys.flatMap((key) => idle.get(key) ?? []).findLast((connection) => connection.alive());
      if (found) leaveIdle(found);
      return found;
    },
    keep(connection) {
      if (!connection.alive() || kept >= maxKept) return connection.destroy();
      connection.settle();
      const key = keyOf(connection.origin, connection.address);
      idle.set(key, [...(idle.get(key) ?? []), connection]);
      kept += 1;
    },
    endAll() {
      for (const connection of open) connection.destroy();
    },
  };
}
