import { expect, test } from 'vitest';
import { readHttpRequest } from './read-http-request.ts';

const read = (text: string) => {
  const { body, ...rest } = readHttpRequest(Buffer.from(text));
  return { ...rest, body: body && Buffer.from(body).toString() };
};

const sent = `> POST /api/v1/merchant/payin/create HTTP/1.1\r
> Host: 127.0.0.1:8080\r
> X-Merchant-No: IN10001\r
> X-Sign: abc=\r
> \r
`;
const before = `Note: Unnecessary use of -X or --request, POST is already inferred.
  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0*   Trying 127.0.0.1:8080...
* Connected to 127.0.0.1 (127.0.0.1) port 8080 (#0)
`;
const after = `} [14 bytes data]
< HTTP/1.1 401 Unauthorized\r
< content-type: application/json; charset=utf-8\r
<\x20\r
{ [104 bytes data]
\r100   118  100   104  100    14  45534   6129 --:--:-- --:--:-- --:--:-- 59000
* Connection #0 to host 127.0.0.1 left intact
{"code":40101,"msg":"signature invalid","data":{"signedContent":"amount=1&nonce=abcdefgh"}}`;
const headers = { Host: '127.0.0.1:8080', 'X-Merchant-No': 'IN10001', 'X-Sign': 'abc=' };
const body = '{"amount":"1"}';

test.each<[string, string, object]>([
  ['the whole output of curl -v', before + sent + after, { signedContent: 'amount=1&nonce=abcdefgh' }],
  [
    'the whole output of curl -v with the body added',
    `${before}${sent}${body}\n${after}`,
    { body, signedContent: 'amount=1&nonce=abcdefgh' },
  ],
  ['only the sent lines', sent, {}],
  ['the sent lines and the body, byte by byte', `${sent}${body} \n`, { body: `${body} \n` }],
  ['a body that looks like an answer', `${sent}{"code":1,"msg":"m"}`, { body: '{"code":1,"msg":"m"}' }],
])('a pasted request is read: %s', (_, text, rest) => {
  expect(read(text)).toEqual({
    method: 'POST',
    query: '',
    headers,
    body: undefined,
    signedContent: undefined,
    ...rest,
  });
});

test('a GET is read with its query, and headers as typed', () => {
  expect(
    read("GET /api/v1/merchant/payin/query?orderNo=PI1 HTTP/1.1\n-H 'X-Sign: a' \\\nX-Nonce: b\nX-Nonce: c\n"),
  ).toEqual({
    method: 'GET',
    query: 'orderNo=PI1',
    body: undefined,
    signedContent: undefined,
    headers: { 'X-Sign': 'a', 'X-Nonce': ['b', 'c'] },
  });
});

test('a line that is not a header is reported', () => {
  expect(() => read('X-Sign: a\n{"amount":"1"}')).toThrow('a blank line belongs between headers and body');
});
