import { MalformedRequest } from '../content.ts';

export interface HttpRequest {
  /** By name, in the order of the text; a list where a name is there several times. */
  headers: Record<string, string | string[]>;
  /** Of the request line, if there is one. */
  method: 'GET' | 'POST' | undefined;
  query: string | undefined;
  /** Undefined where nothing follows the headers. */
  body: Uint8Array | undefined;
  /** `data.signedContent` of the answer, where that is there too. */
  signedContent: string | undefined;
}

const LINE_FEED = 0x0a;
/** What curl -v prints in addition to the request: notes, the answer's headers, byte counts, progress. */
const CURLS_OWN = /^(?:\* |< ?|[{}] \[\d|Note: |\s*(?:% Total|Dload)|[^\n]*--:--:--)/;

/**
 * A request as people have it: `Name: value` lines, with or without a request line, as its -H options are typed, or all that curl -v
 * prints; then a blank line and the body, byte by byte. curl -v prints no body: it is to be added. @throws MalformedRequest
 */
export function readHttpRequest(bytes: Uint8Array): HttpRequest {
  const request: HttpRequest = {
    ...{ headers: {}, method: undefined, query: undefined, body: undefined, signedContent: undefined },
  };
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    const typed = new TextDecoder().decode(bytes.subarray(at, end === -1 ? bytes.length : end));
    at = end === -1 ? bytes.length : end + 1;
    if (CURLS_OWN.test(typed)) continue;
    const line = cleaned(typed);
    if (line === '') {
      if (at < bytes.length) readRest(request, bytes.subarray(at));
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
  const [, method, target] = /^(GET|POST) (\S+)(?: HTTP\/[0-9.]+)?$/.exec(line) ?? [];
  if (target !== undefined) {
    const mark = target.indexOf('?');
    request.method = method === 'GET' ? 'GET' : 'POST';
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

/** What follows the headers: the body's very bytes, or what is left of curl's output once its own lines and the answer are out. */
function readRest(request: HttpRequest, rest: Uint8Array): void {
  const lines = new TextDecoder().decode(rest).split('\n');
  const left = lines.filter((line) => !CURLS_OWN.test(line));
  if (left.length === lines.length) {
    request.body = rest;
    return;
  }
  const isAnswer = (line: string) => /^\{"code":\d+,"msg":"/.test(line);
  request.signedContent = signedContentOf(left.find(isAnswer));
  const body = left
    .filter((line) => !isAnswer(line))
    .join('\n')
    .trim();
  if (body !== '') request.body = new TextEncoder().encode(body);
}

function signedContentOf(answer: string | undefined): string | undefined {
  try {
    const { data }: { data?: { signedContent?: unknown } | null } = JSON.parse(answer ?? '{}');
    return typeof data?.signedContent === 'string' ? data.signedContent : undefined;
  } catch {
    return undefined;
  }
}
