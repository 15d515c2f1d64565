import { NONCE_PATTERN, TIMESTAMP_PATTERN } from '../content.ts';
import { type Finding, suspect, wrong } from './finding.ts';

/** The headers that were sent. Names in any case; a list if a header was repeated. */
export type GivenHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** The values of the headers; empty for a missing header. */
export interface ReadHeaders {
  merchantNo: string;
  timestamp: string;
  nonce: string;
  signature: string;
  findings: Finding[];
}

const CLOCK_TOLERANCE_S = 300;

/** Checks the four headers and the content type, but not the signature itself (decisions 1, 2.1). */
export function checkHeaders(headers: GivenHeaders, hasBody: boolean, now: number | undefined): ReadHeaders {
  const findings: Finding[] = [];
  const read = (name: string): string => {
    const values = Object.entries(headers).flatMap(([key, value]) =>
      key.toLowerCase() === name.toLowerCase() ? (value ?? []) : [],
    );
    const [value = ''] = values;
    if (values.length > 1) findings.push(wrong('headers', `${name} is there ${values.length} times`, 'send it once'));
    else if (value.trim() === '')
      findings.push(wrong('headers', `${name} is missing`, `send ${name} with every request`));
    return value;
  };
  const merchantNo = read('X-Merchant-No');
  if (merchantNo !== '' && !/^[A-Z0-9-]{1,32}$/.test(merchantNo))
    findings.push(
      wrong(
        'headers',
        `X-Merchant-No is not a merchant number: ${JSON.stringify(merchantNo.slice(0, 40))}`,
        'send the number as you were given it: upper-case letters, digits and "-", no blanks',
      ),
    );
  const timestamp = read('X-Timestamp');
  if (timestamp !== '') findings.push(...checkTimestamp(timestamp, now));
  const nonce = read('X-Nonce');
  if (nonce !== '' && !NONCE_PATTERN.test(nonce))
    findings.push(
      wrong(
        'nonce',
        'X-Nonce has the wrong form',
        'send 8 to 64 letters, digits, "_" or "-": a new UUID for each request, without braces',
      ),
    );
  const signature = read('X-Sign');
  if (hasBody) findings.push(...checkContentType(headers));
  return { merchantNo, timestamp, nonce, signature, findings };
}

function checkTimestamp(timestamp: string, now: number | undefined): Finding[] {
  if (/^[0-9]{13}$/.test(timestamp))
    return [
      wrong('timestamp', 'X-Timestamp is in milliseconds', 'send and sign Unix seconds: 10 digits', {
        expected: timestamp.slice(0, 10),
        found: timestamp,
      }),
    ];
  if (/^[0-9]{10}\.[0-9]+$/.test(timestamp))
    return [
      wrong('timestamp', 'X-Timestamp has decimals', 'cut them off, in the header and in what you sign', {
        expected: timestamp.slice(0, 10),
        found: timestamp,
      }),
    ];
  if (!TIMESTAMP_PATTERN.test(timestamp))
    return [
      wrong('timestamp', 'X-Timestamp is not 10 digits', 'send Unix seconds, for example with date +%s', {
        found: timestamp.slice(0, 40),
      }),
    ];
  const seconds = now === undefined ? 0 : Number(timestamp) - Math.floor(now / 1_000);
  if (Math.abs(seconds) <= CLOCK_TOLERANCE_S) return [];
  const off = `X-Timestamp is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this clock; ${CLOCK_TOLERANCE_S} s are allowed`;
  const quarters = Math.round(seconds / 900);
  const isZone = Math.abs(seconds - quarters * 900) < 60 && Math.abs(quarters) <= 56;
  return [
    isZone
      ? suspect(
          'timestamp',
          `${off}. That is a difference between time zones`,
          'count the seconds from 1970 in UTC: a local time was read as UTC, or the other way round',
        )
      : suspect(
          'timestamp',
          off,
          'if the request was sent just now, set the clock of its machine (NTP); an old request has to be signed again',
        ),
  ];
}

function checkContentType(headers: GivenHeaders): Finding[] {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const text = typeof type === 'string' ? type : type?.join(', ');
  if (text !== undefined && /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i.test(text))
    return [];
  const fix = 'send Content-Type: application/json';
  if (text === undefined)
    return [suspect('headers', 'Content-Type is not among the headers', `${fix} with every POST`)];
  return [wrong('headers', `Content-Type is ${text.slice(0, 60)}`, fix)];
}
