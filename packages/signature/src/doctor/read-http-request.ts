import { MalformedRequest } from '../content.ts';

export interface HttpRequest {
  /** Headers by name, in the order in which they appear. A list if a header is repeated. */
  headers: Record<string, string | string[]>;
  /** From the request line, if there is one. */
  method: 'GET' | 'POST' | undefined;
  query: string | undefined;
  /** Undefined if the input ends with the headers. */
  body: Uint8Array | undefined;
  /** `data.signedContent`, if the input includes the service's answer. */
  signedContent: string | undefined;
}

const LINE_FEED = 0x0a;
/** Lines of `curl -v` that are not part of the request: notes, the answer's headers, byte counts, progress. */
const CURLS_OWN = /^(?:\* |< ?|[{}] \[\d|Note: |\s*(?:% Total|Dload)|[^\n]*--:--:--)/;

/**
 * Parses a pasted request: headers, an empty line, the body. The headers are `Name: value` lines with or without a
 * request line, -H options of curl, or the output of `curl -v`. That output lacks the body, so the user has to add it.
 * @throws MalformedRequest
 */
export function readHttpRequest(bytes: Uint8Array): HttpRequest {
  const request: HttpRequest = {
    headers: {},
    method: undefined,
    query: undefined,
    body: undefined,
    signedContent: undefined,
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
  const [, name, text] = /^([A-Za-z0-9-]+):(.*)$/.exec(line) ?? [];
  if (name === undefined || text === undefined)
    throw new MalformedRequest(
      `this is no header line ("Name: value"): ${JSON.stringify(line.slice(0, 60))}; a blank line belongs between headers and body`,
    );
  const value = text.replace(/^[ \t]+/, '');
  const there = request.headers[name];
  request.headers[name] = there === undefined ? value : [there, value].flat();
}

/**
 * Reads what follows the headers. It is the body, in its original bytes. In curl's output, curl's own lines and the
 * answer are removed first.
 */
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
