import { MalformedRequest } from '@tidegate/signature/content';

export interface HttpRequest {
  /** By name, in the order of the text; a list where a name is there several times. */
  headers: Record<string, string | string[]>;
  /** Undefined where nothing follows the headers. */
  body: Uint8Array | undefined;
  /** Of the request line, if there is one. */
  query: string | undefined;
}

const LINE_FEED = 0x0a;

/**
 * A request as people have it: `Name: value` lines, with or without a request line, as curl -v prints them (`> `) or as its -H options
 * are typed; then a blank line and the body, byte by byte. @throws MalformedRequest
 */
export function readHttpRequest(bytes: Uint8Array): HttpRequest {
  const request: HttpRequest = { headers: {}, body: undefined, query: undefined };
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    const line = cleaned(new TextDecoder().decode(bytes.subarray(at, end === -1 ? bytes.length : end)));
    at = end === -1 ? bytes.length : end + 1;
    if (line === '') {
      if (at < bytes.length) request.body = bytes.subarray(at);
      break;
    }
    readLine(request, line);
  }
  return request;
}

function cleaned(line: string): string {
  return line
    .replace(/\r$/, '')
    .replace(/^> ?/, '')
    .replace(/^\s*(?:-H|--header)\s+(['"])(.*)\1\s*\\?$/, '$2');
}

function readLine(request: HttpRequest, line: string): void {
  const [, target] = /^(?:GET|POST) (\S+)(?: HTTP\/[0-9.]+)?$/.exec(line) ?? [];
  if (target !== undefined) {
    const mark = target.indexOf('?');
    request.query = mark === -1 ? '' : target.slice(mark + 1);
    return;
  }
  const [, name, value] = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new MalformedRequest(
      `this is no header line ("Name: value"): ${JSON.stringify(line.slice(0, 60))}; a blank line belongs between headers and body`,
    );
  const there = request.headers[name];
  request.headers[name] = there === undefined ? value : [there, value].flat();
}
