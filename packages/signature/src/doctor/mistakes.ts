import type { Mistake } from './mistake.ts';
import { GET_PATHS, POST_PATHS, type Recipe } from './recipe.ts';
import { RARE_VALUE_MISTAKES, VALUE_MISTAKES } from './value-mistakes.ts';

const SORT =
  'sort all pairs, timestamp and nonce among them, by the unescaped path, byte by byte of its UTF-8 (Unicode code points)';
const ESCAPE = 'in paths and values write % as %25, & as %26 and = as %3D, and escape nothing else';
const STAMPS = 'add the pairs timestamp=… and nonce=… with the very values of X-Timestamp and X-Nonce';
const PATHS =
  'flatten it: members join with a dot (metadata.ifsc), elements are items[0], items[1] …, one pair for each leaf';
const CONTENT = 'sign the sorted path=value pairs of the fields, not the body';
const EXACT = 'sign exactly the joined pairs, with nothing before or after them';
const UTF8 = "sign the UTF-8 bytes of the text, its characters as they are, whatever the body's JSON escapes";

const order = (change: Recipe['order'], what: string, fix = SORT): Mistake => ({
  step: 'order',
  change: { order: change },
  what,
  fix,
});
const escaping = (change: Recipe['escape'], what: string, fix = ESCAPE): Mistake => ({
  step: 'escape',
  change: { escape: change },
  what,
  fix,
});
const stamps = (change: Recipe['stamps'], what: string): Mistake => ({
  step: 'stamps',
  change: { stamps: change },
  what,
  fix: STAMPS,
});
const nesting = (change: Recipe['nesting'], what: string, cause = ''): Mistake => ({
  step: 'nesting',
  change: { nesting: change },
  what,
  fix: cause === '' ? PATHS : `${PATHS}. ${cause}`,
});
const whole = (change: Recipe['whole'], what: string): Mistake => ({
  step: 'content',
  change: { whole: change },
  what,
  fix: CONTENT,
});
const join = (change: Recipe['join'], what: string): Mistake => ({
  step: 'separator',
  change: { join: change },
  what,
  fix: 'write each pair as path=value and put one & between two pairs',
});
const end = (change: Recipe['end'], what: string, step: Mistake['step'] = 'white space', fix = EXACT): Mistake => ({
  step,
  change: { end: change },
  what,
  fix,
});
const text = (change: Recipe['text'], what: string, fix = UTF8): Mistake => ({
  step: 'encoding',
  change: { text: change },
  what,
  fix,
});

const DECODED =
  'sign the decoded names and values (%2F is /), and send them percent-encoded. PHP: $_GET; Python: parse_qsl';
const KSORT = 'PHP: ksort($pairs, SORT_STRING), without SORT_NATURAL. JavaScript: no localeCompare with numeric';

/** All mistakes, the most likely first. Mistakes are combined in this order too. */
export const MISTAKES: readonly Mistake[] = [
  order('numeric', 'paths that are numbers are sorted as numbers', KSORT),
  order('natural', 'numbers within paths are sorted as numbers (items[2] before items[10])', KSORT),
  order(
    'level by level',
    'the names of each object were sorted by themselves, not the whole paths',
    'flatten the fields first, then sort the whole paths',
  ),
  order('as sent', 'the pairs are not sorted: they stand as the body has them, timestamp and nonce behind them'),
  order(
    'as sent, nonce first',
    'the pairs are not sorted: they stand as the body has them, nonce and timestamp behind them',
  ),
  order('stamps last', 'the fields are sorted, but timestamp and nonce are put behind them'),
  end('line feed', 'a line break follows the text, as echo and editors add it'),
  order('UTF-16', "the pairs are sorted by UTF-16 units, as JavaScript's and Java's sort do"),
  order('any case', 'the pairs are sorted without regard to case'),
  escaping('none', 'nothing is escaped'),
  escaping(
    'plus kept',
    'a + of the query was signed as +',
    'a + in a query is a blank: sign the blank, or send %2B if you mean a plus',
  ),
  escaping('as in the URL', "the query's values were signed as the URL has them, percent-encoded", DECODED),
  escaping(
    'as in the URL, escaped',
    "the query's values were signed as the URL has them, percent-encoded, and escaped after that",
    DECODED,
  ),
  escaping('URL', 'values are URL-encoded'),
  escaping('form', 'values are encoded as in a form, a blank as +'),
  ...VALUE_MISTAKES,
  nesting('JSON', 'objects and arrays were signed as JSON'),
  nesting('JSON, blanks, ASCII', 'objects and arrays were signed as JSON, with blanks', 'Python: no json.dumps'),
  nesting(
    'JSON, ASCII, slashes',
    'objects and arrays were signed as JSON, with \\/ and \\uXXXX',
    'PHP: no json_encode',
  ),
  nesting('brackets', 'members of objects were signed as metadata[ifsc]'),
  nesting('dotted indexes', 'elements of arrays were signed as items.0'),
  stamps('no timestamp', 'the timestamp is missing'),
  stamps('no nonce', 'the nonce is missing'),
  stamps('none', 'timestamp and nonce are missing'),
  end('ampersand', 'an & follows the last pair'),
  end(
    'key',
    'a pair with a key follows the text (&key=…), as other payment services want it',
    'content',
    'sign the text without it: the private key alone makes the signature, and no secret is part of the text',
  ),
  escaping('URL, names too', 'paths and values are URL-encoded'),
  escaping('without %', '& and = are escaped, but % is not'),
  escaping('twice', 'the escaping was done twice'),
  order(
    'as sent, stamps first',
    'the pairs are not sorted: timestamp and nonce, and then the fields as the body has them',
  ),
  order('nonce last', 'the fields are sorted, but nonce and timestamp are put behind them'),
  order('stamps first', 'timestamp and nonce are put before the sorted fields'),
  order('pairs', 'whole pairs were sorted, so that "=" took part in the order of the paths'),
  order('descending', 'the pairs are sorted backwards'),
  nesting('JSON, blanks', 'objects and arrays were signed as JSON, with blanks', 'Python: no json.dumps'),
  nesting(
    'JSON, ASCII',
    'objects and arrays were signed as JSON, with \\uXXXX',
    'Python: no json.dumps. PHP: no json_encode',
  ),
  nesting('JSON, slashes', 'objects and arrays were signed as JSON, with \\/', 'PHP: no json_encode'),
  nesting('JSON, arrays as objects', 'arrays were signed as objects ({"0":…})', 'PHP: no JSON_FORCE_OBJECT'),
  nesting(
    'JSON, objects as arrays',
    'objects and arrays were signed as JSON, empty objects as []',
    'PHP: no json_encode; json_decode($body, true) makes {} an array',
  ),
  nesting('JSON, sorted', 'objects and arrays were signed as JSON, sorted by name', 'Go: no json.Marshal of a map'),
  nesting('JSON, sorted, HTML', 'objects and arrays were signed as JSON, with \\u003c', 'Go: no json.Marshal of a map'),
  nesting(
    'JSON, sorted, blanks',
    'objects and arrays were signed as JSON, sorted, with blanks',
    'Python: no json.dumps',
  ),
  nesting('JSON, HTML', 'objects and arrays were signed as JSON, with \\u003c', 'Go: no json.Marshal'),
  nesting('JSON, HTML of Gson', 'objects and arrays were signed as JSON, with \\u003d', 'Gson: no toJson'),
  nesting(
    'JSON, indented',
    'objects and arrays were signed as JSON in lines',
    'C#: no ToString() of a JObject or JArray',
  ),
  nesting('Python', 'objects and arrays were signed as Python prints them', 'Python: no str() of a dict or list'),
  nesting('Ruby', 'objects and arrays were signed as Ruby prints them', 'Ruby: no to_s of a Hash or Array'),
  nesting('Java', 'objects and arrays were signed as Java prints them', 'Java: no toString() of a Map or List'),
  nesting('Go', 'objects and arrays were signed as Go prints them', 'Go: no fmt.Sprint of a map or slice'),
  nesting('PHP', 'objects and arrays were signed as the word Array', 'PHP prints every array as "Array"'),
  nesting(
    'JavaScript',
    'objects were signed as [object Object], or arrays joined by commas',
    'JavaScript: no String() of them',
  ),
  nesting('last names', 'members of objects were signed without the name of the object'),
  nesting('underscores', 'paths were joined with underscores'),
  nesting('left out', 'objects and arrays were left out'),
  stamps('milliseconds', 'the timestamp was signed in milliseconds, and sent in seconds'),
  stamps('header names', 'timestamp and nonce are called X-Timestamp and X-Nonce in it'),
  stamps('and merchant', 'the merchant number was signed too: it is a header only'),
  join('values', 'only the values were joined'),
  join('k=v', 'the & between the pairs is missing'),
  join('lines', 'the pairs are joined by line breaks'),
  join('kv', 'paths and values are joined without = and &'),
  join('k:v', 'paths and values are joined by a colon'),
  join('commas', 'the pairs are joined by commas'),
  ...RARE_VALUE_MISTAKES,
  end('CR LF', 'a line break (CR LF) follows the text'),
  end('blank', 'a blank follows the text'),
  end('question mark', 'the text begins with ?'),
  end('BOM', 'the text begins with a byte order mark'),
  whole('body', 'the body (of a GET the query) itself was signed'),
  whole('body, packed', 'the body itself was signed, without its white space'),
  whole('body, sorted', 'the body was signed as JSON that is sorted by name'),
  whole('body, sorted, blanks', 'the body was signed as JSON that is sorted by name, with blanks'),
  whole('body, sorted at the top', 'the body was signed as JSON whose first level is sorted by name'),
  whole('body and stamps, sorted', 'body, timestamp and nonce were signed as sorted JSON'),
  whole('body and stamps, sorted, blanks', 'body, timestamp and nonce were signed as sorted JSON, with blanks'),
  whole('body, timestamp, nonce', 'the body with timestamp and nonce behind it was signed'),
  whole('timestamp, nonce, body', 'timestamp, nonce and body were signed, joined'),
  whole('timestamp.nonce.body', 'timestamp.nonce.body was signed'),
  whole('lines', 'timestamp, nonce and body were signed, a line each'),
  ...[...POST_PATHS, ...GET_PATHS].map((path) =>
    whole(`lines, ${path}`, 'method, path, timestamp, nonce and body were signed, a line each, as WeChat Pay wants it'),
  ),
  whole('nothing', 'an empty text was signed'),
  text('NFC', 'letters with accents were composed (NFC)'),
  text('NFD', 'letters with accents were taken apart (NFD)'),
  text('escaped', 'letters beyond ASCII were signed as \\uXXXX'),
  text('lower case', 'the text was made lower case', EXACT),
  text('upper case', 'the text was made upper case', EXACT),
  text('URL-encoded', 'the whole text was URL-encoded', ESCAPE),
  text('base64', 'the text was turned into base64 before it was signed', EXACT),
  {
    step: 'encoding',
    change: { bytes: 'Latin-1' },
    what: 'the text was signed in Latin-1 (or a Windows code page)',
    fix: UTF8,
  },
  { step: 'encoding', change: { bytes: 'UTF-16' }, what: 'the text was signed in UTF-16', fix: UTF8 },
];
