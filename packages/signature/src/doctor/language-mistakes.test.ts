import { expect, test } from 'vitest';
import { headersOf, nonce, pem, signText, stepsOf, timestamp, wrongs } from '../../test/doctor-fixture.ts';
import { readBody } from '../content.ts';
import { diagnose, type Step } from './diagnose.ts';
import { fieldsOfBody } from './fields.ts';
import { findMistakes } from './find-mistakes.ts';
import { MISTAKES } from './mistakes.ts';

const stamps = `nonce=${nonce}&timestamp=${timestamp}`;

/** Diagnoses a request by its signature alone, and by the signed text. */
async function see(sent: { body?: string; query?: string }, signed: string) {
  const bySignature = await diagnose({ ...sent, publicKey: pem, headers: headersOf(signText(signed)) });
  const byText = await diagnose({ ...sent, signedText: signed, headers: headersOf(signText(signed)) });
  expect(stepsOf(byText)).toEqual(stepsOf(bySignature));
  return wrongs(bySignature);
}

const seeBody = (body: string, pairs: string) =>
  see({ body }, `${pairs.replace(/&?$/, pairs === '' ? '' : '&')}${stamps}`);

test.each<[string, string, string, Step, string, string]>([
  ['true of Python', '{"a":true}', 'a=True', 'boolean', 'True and False', 'Python'],
  ['false of C#', '{"a":false}', 'a=False', 'boolean', 'True and False', 'C#'],
  ['true of PHP', '{"a":true}', 'a=1', 'boolean', '1 and 0', 'PHP'],
  ['false as 0', '{"a":false}', 'a=0', 'boolean', '1 and 0', 'PHP'],
  ['false of PHP', '{"a":true,"b":false}', 'a=1&b=', 'boolean', 'false as an empty text', 'PHP'],
  ['false that is left out', '{"a":true,"b":false}', 'a=1', 'boolean', 'false was left out', 'array_filter'],
  ['null of Java', '{"a":null,"b":""}', 'a=null', 'empty', 'word null', 'String.valueOf'],
  ['null of Python', '{"a":null}', 'a=None', 'empty', 'None', 'Python'],
  ['null of Ruby', '{"a":null}', 'a=nil', 'empty', 'nil', 'nil?'],
  ['null of PHP', '{"a":null}', 'a=NULL', 'empty', 'NULL', 'var_export'],
  ['null of Go', '{"a":null}', 'a=<nil>', 'empty', '<nil>', 'Go'],
  ['a float of Python', '{"a":100.00}', 'a=100.0', 'number', 'Python', 'parse_float=str'],
  ['a double of Java', '{"a":1e7}', 'a=1.0E7', 'number', 'Java', 'LAZILY_PARSED_NUMBER'],
  ['a double of Gson', '{"a":100}', 'a=100.0', 'number', 'Java', 'Gson'],
  ['a float64 of Go', '{"a":1.5e6}', 'a=1.5e+06', 'number', 'Go', 'UseNumber'],
  ['14 digits of PHP', '{"a":1234567.123456789}', 'a=1234567.1234568', 'number', '14 digits', 'PHP'],
  ['trimmed texts', '{"a":" x "}', 'a=x', 'value', 'white space', 'Trim'],
  ['texts for HTML', '{"a":"<b>"}', 'a=&lt;b&gt;'.replaceAll('&', '%26'), 'value', 'HTML', 'htmlspecialchars'],
  ['JSON_FORCE_OBJECT', '{"a":["x"]}', 'a={"0":"x"}', 'nesting', 'arrays were signed as objects', 'FORCE_OBJECT'],
])('%s is explained', async (_, body, signed, step, what, fix) => {
  const findings = await seeBody(body, signed);
  expect(findings).toEqual([
    expect.objectContaining({ step, what: expect.stringContaining(what), fix: expect.stringContaining(fix) }),
  ]);
});

test.each<[string, string, string, string]>([
  ['numbers as names', '{"10":"a","9":"b"}', '9=b&10=a', 'sorted as numbers'],
  [
    'indexes',
    '{"a":["0","1","2","3","4","5","6","7","8","9","10"]}',
    `${'0123456789'.replaceAll(/./g, 'a[$&]=$&&')}a[10]=10`,
    'numbers within paths',
  ],
  ['levels', '{"a":{"x":"1"},"a-b":"2"}', 'a.x=1&a-b=2', 'by themselves'],
  ['UTF-16', '{"b\\uff5e":"1","b\\ud83d\\ude00":"2"}', 'b😀=2&b～=1', 'UTF-16'],
])('a wrong order of %s is explained', async (_, body, signed, what) => {
  const findings = await seeBody(body, signed);
  expect(findings).toEqual([expect.objectContaining({ step: 'order', what: expect.stringContaining(what) })]);
});

test.each([
  '{"a":"1","b":{"c":"2","d":"3"}}',
  '{"a": "1", "b": {"c": "2", "d": "3"}}',
  '{"a":"1","b":{"d":"3","c":"2"}}',
  `{"a":"1","b":{"c":"2","d":"3"},"nonce":"${nonce}","timestamp":"${timestamp}"}`,
])('sorted JSON in the place of the pairs is recognised: %s', async (signed) => {
  const findings = await see({ body: '{"b":{"d":"3","c":"2"},"a":"1"}' }, signed);
  expect(findings).toEqual([expect.objectContaining({ step: 'content', what: expect.stringContaining('sorted') })]);
});

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const url = '/api/v1/merchant';

test.each<[object, string, string]>([
  [{ body: '{"a":"1"}' }, lines('POST', `${url}/payout/create`, timestamp, nonce, '{"a":"1"}'), 'WeChat Pay'],
  [{ query: 'orderNo=PI1' }, lines('GET', `${url}/payin/query?orderNo=PI1`, timestamp, nonce, ''), 'WeChat Pay'],
  [{ query: '' }, lines('GET', `${url}/wallet`, timestamp, nonce, ''), 'WeChat Pay'],
  [{ body: '{"a":"1"}' }, lines(timestamp, nonce, '{"a":"1"}'), 'a line each'],
])('the lines that another payment service signs are recognised: %j', async (sent, signed, what) => {
  const findings = await see(sent, signed);
  expect(findings).toEqual([expect.objectContaining({ step: 'content', what: expect.stringContaining(what) })]);
});

test('a key behind the signed text is recognised if the text is known', async () => {
  const signedText = `a=1&${stamps}&key=3kd8Jd0`;
  const findings = wrongs(await diagnose({ body: '{"a":"1"}', signedText }));
  expect(findings).toEqual([expect.objectContaining({ step: 'content', what: expect.stringContaining('&key=') })]);
  const alone = await diagnose({ signedText });
  expect(alone.map(({ what }) => what).join()).toContain('&key=');
});

test.each([
  ['merchantOrderNo=M%2F1', 'merchantOrderNo=M%2F1', 'percent-encoded', '_GET'],
  ['merchantOrderNo=M%2F1', 'merchantOrderNo=M%252F1', 'and escaped after that', '_GET'],
  ['merchantOrderNo=M+1', 'merchantOrderNo=M+1', 'a + of the query', '%2B'],
  ['merchantOrderNo=M+1%2F', 'merchantOrderNo=M+1/', 'a + of the query', '%2B'],
])('the query %s that was signed as %s is explained', async (query, signed, what, fix) => {
  const findings = await see({ query }, `${signed}&${stamps}`);
  expect(findings).toEqual([
    expect.objectContaining({
      step: 'escape',
      what: expect.stringContaining(what),
      fix: expect.stringContaining(fix),
    }),
  ]);
});

test('a whole query that was signed is called a query', async () => {
  const [finding] = await see({ query: 'page=2&merchantOrderNo=M' }, 'page=2&merchantOrderNo=M');
  expect(finding?.what).toContain('of a GET the query');
});

test.each(['True', 'None', '<nil>'])('the signed text alone shows a value %s', async (value) => {
  const findings = await diagnose({ signedText: `a=${value}&${stamps}` });
  expect(findings[0]).toMatchObject({ severity: 'suspect' });
});

test('several mistakes of one language are found together', async () => {
  const body = '{"ok":true,"amount":100.00,"Remark":"50% & é","none":null,"metadata":{"b":"1","a":"2"}}';
  const right = readBody(Buffer.from(body)).content(timestamp, nonce);
  const python = right.replace('ok=true', 'ok=True').replace('100.00', '100.0').replace('&ok', '&none=None&ok');
  const findings = await see({ body }, python);
  expect(findings.map(({ step }) => step).toSorted()).toEqual(['boolean', 'empty', 'number']);
});

const OF_ALL_KINDS =
  '{"merchantOrderNo":"M-1","amount":100.00,"remark":"50% & é","ok":true,"no":false,"nil":null,"metadata":{"ifsc":"H1","url":"https://x.example/a"}}';

test.each<[string, string, Step[]]>([
  [
    'http_build_query of PHP',
    `amount=100&merchantOrderNo=M-1&metadata[ifsc]=H1&metadata[url]=https%3A%2F%2Fx.example%2Fa&no=0&nonce=${nonce}&ok=1&remark=50%25+%26+%C3%A9&timestamp=${timestamp}`,
    ['boolean', 'escape', 'nesting', 'number'],
  ],
  [
    'text and json_encode of PHP',
    `amount=100&merchantOrderNo=M-1&metadata={"ifsc":"H1","url":"https:\\/\\/x.example\\/a"}&no=&nonce=${nonce}&ok=1&remark=50% & é&timestamp=${timestamp}`,
    ['boolean', 'escape', 'nesting', 'number'],
  ],
  [
    'str of Python',
    `amount=100.0&merchantOrderNo=M-1&metadata={'ifsc': 'H1', 'url': 'https://x.example/a'}&nil=None&no=False&nonce=${nonce}&ok=True&remark=50%25 %26 é&timestamp=${timestamp}`,
    ['boolean', 'empty', 'nesting', 'number'],
  ],
  [
    'toString of Java',
    `amount=100.0&merchantOrderNo=M-1&metadata={ifsc=H1, url=https://x.example/a}&nil=null&no=false&nonce=${nonce}&ok=true&remark=50% & é&timestamp=${timestamp}`,
    ['empty', 'escape', 'nesting', 'number'],
  ],
  [
    'Sprint of Go',
    `amount=100&merchantOrderNo=M-1&metadata=map[ifsc:H1 url:https://x.example/a]&nil=<nil>&no=false&nonce=${nonce}&ok=true&remark=50% & é&timestamp=${timestamp}`,
    ['empty', 'escape', 'nesting', 'number'],
  ],
  [
    'to_s of Ruby',
    `amount=100.0&merchantOrderNo=M-1&metadata={"ifsc"=>"H1", "url"=>"https://x.example/a"}&nil=&no=false&nonce=${nonce}&ok=true&remark=50% & é&timestamp=${timestamp}`,
    ['empty', 'escape', 'nesting', 'number'],
  ],
  [
    'ToString of C#',
    `amount=100&merchantOrderNo=M-1&metadata={"ifsc":"H1","url":"https://x.example/a"}&no=False&nonce=${nonce}&ok=True&remark=50% & é&timestamp=${timestamp}`,
    ['boolean', 'escape', 'nesting', 'number'],
  ],
  [
    'sorted json.dumps of Python',
    '{"amount": 100.0, "merchantOrderNo": "M-1", "metadata": {"ifsc": "H1", "url": "https://x.example/a"}, "nil": null, "no": false, "ok": true, "remark": "50% & \\u00e9"}',
    ['content', 'number'],
  ],
])('a program that prints everything by %s is understood by its signature alone', async (_, signed, steps) => {
  const findings = await see({ body: OF_ALL_KINDS }, signed);
  expect(findings.map(({ step }) => step).toSorted()).toEqual(steps);
});

test('advice is short', () => {
  for (const { what, fix } of MISTAKES)
    expect([what, fix, what.length < 110, fix.length < 240]).toEqual([what, fix, true, true]);
});

test.each([
  ['many values', JSON.stringify({ a: Array.from({ length: 1_900 }, (_, at) => (at % 2 ? `é<&'${at}` : at * 1.5)) })],
  ['long numbers', `{"a":${'1'.repeat(30_000)},"b":1.${'0'.repeat(30_000)}e300}`],
  ['all kinds', '{"A":100.50,"b":"50% & é <","c":"","n":null,"ok":true,"m":{"x":["a",1e7],"e":{}}}'],
])('the search is bounded for a request with %s', async (_, body) => {
  let tried = 0;
  let bytes = 0;
  const found = await findMistakes(
    fieldsOfBody(Buffer.from(body)),
    { timestamp, nonce, merchantNo: 'M1' },
    (candidate) => {
      tried += 1;
      bytes += candidate.length;
      return false;
    },
  );
  expect(found).toBeNull();
  expect(tried).toBeLessThanOrEqual(20_200);
  expect(bytes).toBeLessThan(80 * 1_024 * 1_024);
});
