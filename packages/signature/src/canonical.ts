import { ContentMeter } from './content-limits.ts';
import { parseBody } from './json.ts';
import type { JsonObject } from './json-value.ts';
import { type Members, plainObject } from './parsed-value.ts';
import { parseQuery } from './query.ts';
import { writeContent } from './write-content.ts';

/** A parsed request and the content that its signature covers. Both come from one parse, so they cannot differ. */
export interface SignedFields {
  /** The request without absent values. */
  readonly value: JsonObject;
  /** The text whose UTF-8 bytes are signed. Pass the values of `X-Timestamp` and `X-Nonce`. */
  content(timestamp: string, nonce: string): string;
  /** The same as UTF-8, which takes less time. */
  contentBytes(timestamp: string, nonce: string): Uint8Array;
}

/** Reads the body of a POST, or of a notification. @throws MalformedRequest */
export function readBody(body: Uint8Array): SignedFields {
  const meter = new ContentMeter();
  return signedFields(parseBody(body, meter), meter);
}

/** Reads the raw query string of a GET, without the `?`. @throws MalformedRequest */
export function readQuery(query: string): SignedFields {
  const meter = new ContentMeter();
  return signedFields(parseQuery(query, meter), meter);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function signedFields(fields: Members, meter: ContentMeter): SignedFields {
  let value: JsonObject | undefined;
  return {
    get value() {
      value ??= plainObject(fields);
      return value;
    },
    content: (timestamp, nonce) => utf8.decode(writeContent(fields, meter, timestamp, nonce)),
    contentBytes: (timestamp, nonce) => writeContent(fields, meter, timestamp, nonce),
  };
}
