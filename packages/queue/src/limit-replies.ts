import type { Cluster, Redis } from 'ioredis';

// BullMQ's scripts answer with a whole job, and ioredis keeps an answer until its last byte. Whoever may write to Redis could write a job of 500 MB.
// No setting of Redis limits it: `proto-max-bulk-len` is for what clients send, and a script writes texts of any length.

/** The most bytes of one reply. The longest that we ask for are 10,000 marks of 400 bytes (`marks.ts`). */
const longestReply = 8_388_608;

/** A reply is longer than we ask for, so somebody else has written what it is about. Its connection was closed. */
class ReplyTooLong extends Error {
  constructor() {
    super(`a reply of Redis is longer than ${longestReply} bytes`);
    this.name = 'ReplyTooLong';
  }
}

/** What each value of an array takes in memory at least. */
const bytesOfValue = 8;
/** The longest line that announces something: a type, and a length of 64 bits. */
const longestHeader = 32;

/** Follows the replies of one connection (RESP 2), and counts the bytes of the one that is arriving, with those that are announced. */
export class ReplyMeter {
  readonly #longest: number;
  #size = 0;
  /** How many values the arrays still miss that have begun, the outermost first. */
  readonly #missing: number[] = [];
  /** How many bytes of a text are still to come, with its end of line. */
  #text = 0;
  #line = '';

  constructor(longest = longestReply) {
    this.#longest = longest;
  }

  /** Takes the next bytes. Whether the reply that arrives is too long; then nothing more is taken. */
  isTooLong(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length && this.#size <= this.#longest)
      at = this.#text > 0 ? this.#skip(bytes, at) : this.#read(bytes, at);
    return this.#size > this.#longest;
  }

  /** Passes over a text, whose bytes were counted when it was announced. */
  #skip({ length }: Buffer, from: number): number {
    const passed = Math.min(this.#text, length - from);
    this.#text -= passed;
    if (this.#text === 0) this.#end();
    return from + passed;
  }

  /** Reads a line, or a part of one: the first bytes of it say what comes. */
  #read(bytes: Buffer, from: number): number {
    const end = bytes.indexOf('\n', from);
    const to = end < 0 ? bytes.length : end + 1;
    this.#size += to - from;
    const wanted = longestHeader - this.#line.length;
    this.#line += bytes.toString('latin1', from, Math.min(to, from + wanted));
    if (end >= 0) this.#begin(this.#line);
    return to;
  }

  /** A line has arrived: a whole value, or the length of a text or an array. */
  #begin(line: string): void {
    this.#line = '';
    const announced = Number(line.slice(1));
    if (line.startsWith('$') && announced >= 0) {
      this.#size += announced;
      this.#text = announced + 2;
    } else if (line.startsWith('*') && announced > 0) {
      this.#size += announced * bytesOfValue;
      this.#missing.push(announced);
    } else this.#end();
  }

  /** A value has ended, and with the last one of an array the array. */
  #end(): void {
    for (let last = this.#missing.length - 1; last >= 0; last -= 1) {
      const left = (this.#missing[last] ?? 0) - 1;
      this.#missing[last] = left;
      if (left > 0) return;
      this.#missing.pop();
    }
    // Once it was too long, it stays so.
    if (this.#size <= this.#longest) this.#size = 0;
  }
}

/**
 * Closes a connection to a server, and those that BullMQ makes of it, when a reply is longer than `longestReply`. It connects again, and its
 * listeners of errors get a `ReplyTooLong`.
 */
export function limitReplies(redis: Redis): Redis {
  redis.on('connect', () => {
    const { stream } = redis;
    const meter = new ReplyMeter();
    stream.on('data', (bytes: Buffer) => {
      if (!stream.destroyed && meter.isTooLong(bytes)) stream.destroy(new ReplyTooLong());
    });
  });
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => limitReplies(duplicate(override));
  return redis;
}

/** The same for all nodes of a cluster. The listeners of the cluster's errors get the error of a node. */
export function limitRepliesOfNodes(cluster: Cluster): Cluster {
  cluster.on('+node', limitReplies);
  cluster.on('node error', (error: Error) => {
    if (error instanceof ReplyTooLong) cluster.emit('error', error);
  });
  const duplicate = cluster.duplicate.bind(cluster);
  cluster.duplicate = (...overrides) => limitRepliesOfNodes(duplicate(...overrides));
  return cluster;
}
