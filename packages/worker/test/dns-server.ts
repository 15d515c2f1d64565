import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';

/** The answer for a name: IP addresses of either family, no such name, a server error, or no answer. */
export type DnsAnswer = readonly string[] | 'nxdomain' | 'servfail' | 'silence';

export interface DnsServer {
  /** `address:port`, for a resolver. */
  address: string;
  /** Every question so far, as `A shop.example`. */
  queries: string[];
  close(): void;
}

/** A real DNS server on the loopback. `answer` is called for each question. */
export async function startDnsServer(answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + size));
      at += size + 1;
    }
    const type = question.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A';
    queries.push(`${type} ${labels.join('.')}`);
    const received = answer(labels.join('.'), type);
    if (received !== 'silence') socket.send(reply(question.subarray(0, at + 5), received, type), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    queries,
    close: () => void socket.close(),
  };
}

/** The question, marked as answered, and a record for each address of the wanted family. */
function reply(question: Buffer, received: readonly string[] | 'nxdomain' | 'servfail', type: 'A' | 'AAAA'): Buffer {
  const addresses = typeof received === 'string' ? [] : received.filter((one) => isIPv4(one) === (type === 'A'));
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (received === 'nxdomain' ? 3 : received === 'servfail' ? 2 : 0), 2);
  for (const [index, count] of [1, addresses.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * index);
  const records = addresses.map((one) => {
    const bytes = type === 'A' ? Buffer.from(one.split('.').map(Number)) : sixteenBytes(one);
    // The name of the question, class IN, and a time to live of an hour, so that a caching resolver would be noticed.
    const record = Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 14, 16, 0, bytes.length]);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, ...records]);
}

function sixteenBytes(address: string): Buffer {
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const missing = Array.from({ length: 8 - (head.length + (tail?.length ?? 0)) }, () => '0');
  const groups = [...head, ...missing, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
}
