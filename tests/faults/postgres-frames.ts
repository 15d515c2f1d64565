/** The position in a PostgreSQL server's stream of messages between two pieces of it. */
export interface FrameReader {
  /** Bytes of the present message that are still to come; 0 between messages. */
  left: number;
  /** The first bytes of a message of which too little has arrived. */
  begun: Buffer;
}

/** CommandComplete with the tag COMMIT: type, length (without the type), text. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');
const LENGTH_FIELD = 4;

/** A reader at the beginning of what a server says. */
export function readFrames(): FrameReader {
  return { left: 0, begun: Buffer.alloc(0) };
}

/**
 * Reads the next piece. Returns the position in `bytes` at which the answer to a COMMIT begins; null if there is none.
 * 0 if it began in the piece before: a client cannot use half a message.
 */
export function findCommitAnswer(reader: FrameReader, bytes: Buffer): number | null {
  const before = reader.begun.length;
  const all = before > 0 ? Buffer.concat([reader.begun, bytes]) : bytes;
  reader.begun = Buffer.alloc(0);
  let found: number | null = null;
  const skipped = Math.min(reader.left, all.length);
  reader.left -= skipped;
  for (let at = skipped; at < all.length; ) {
    const rest = all.length - at;
    const length = rest > LENGTH_FIELD ? all.readInt32BE(at + 1) : COMMITTED.length - 1;
    if (length < LENGTH_FIELD) throw new Error('that is not what PostgreSQL says');
    const mayBeIt = length === COMMITTED.length - 1;
    if (mayBeIt && rest < COMMITTED.length) {
      reader.begun = Buffer.from(all.subarray(at));
      return found;
    }
    if (mayBeIt && all.subarray(at, at + COMMITTED.length).equals(COMMITTED)) found ??= Math.max(0, at - before);
    const end = at + 1 + length;
    reader.left = Math.max(0, end - all.length);
    at = end;
  }
  return found;
}
