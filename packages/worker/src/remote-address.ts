import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Requests whose address is wanted, by their nonce; null until they are sent. */
const watched = new Map<string, string | null>();

// The one way in which undici tells which of its connections carries a request: published right before it is written.
subscribe('undici:client:sendHeaders', (message) => {
  const { headers, socket } = message as { headers: unknown; socket: Socket };
  const nonce = typeof headers === 'string' ? /\r\nx-nonce: (\S+)\r\n/i.exec(headers)?.[1] : undefined;
  if (nonce !== undefined && watched.has(nonce) && socket.remoteAddress !== undefined)
    watched.set(nonce, hostPort(socket.remoteAddress, socket.remotePort));
});

/** Runs `send`, and gives `address()` the IP address and port that the request with this `X-Nonce` was written to. */
export async function watchAddress<T>(nonce: string, send: (address: () => string | null) => Promise<T>): Promise<T> {
  watched.set(nonce, null);
  try {
    return await send(() => watched.get(nonce) ?? null);
  } finally {
    watched.delete(nonce);
  }
}

/** The address that an error of connecting names; null where it got no further than the name. */
export function refusedAddress(error: unknown): string | null {
  const { address, port, errors } = (error ?? {}) as { address?: unknown; port?: unknown; errors?: unknown };
  if (typeof address === 'string') return hostPort(address, typeof port === 'number' ? port : undefined);
  // Of a name with several addresses, all of which refused, the last stands for them.
  return Array.isArray(errors) && errors.length > 0 ? refusedAddress(errors.at(-1)) : null;
}

function hostPort(address: string, port: number | undefined): string {
  return `${address.includes(':') ? `[${address}]` : address}${port === undefined ? '' : `:${port}`}`;
}
