import type { Step } from './finding.ts';
import type { Recipe } from './recipe.ts';

/** A common mistake in making the content to sign: how it changes the recipe, and how to explain it. */
export interface Mistake {
  step: Step;
  change: Partial<Recipe>;
  what: string;
  fix: string;
}

const SORT =
  'sort all pairs, timestamp and nonce among them, by the unescaped path, byte by byte of its UTF-8 (Unicode code points)';
const ESCAPE = 'in paths and values write % as %25, & as %26 and = as %3D, and escape nothing else';
const STAMPS = 'add the pairs timestamp=… and nonce=… with the very values of X-Timestamp and X-Nonce';
const PATHS =
  'flatten it: members join with a dot (metadata.ifsc), elements are items[0], items[1] …, one pair for each leaf';
const NUMBERS = "use the number's text from the body. It is simplest to send amounts as strings";
const EMPTIES = 'leave out null, "", {} and [] altogether';
const CONTENT = 'sign the sorted path=value pairs of the fields, not the body';
const EXACT = 'sign exactly the joined pairs, with nothing before or after them';
const UTF8 = "sign the UTF-8 bytes of the text, its characters as they are, whatever the body's JSON escapes";

const order = (change: Recipe['order'], what: string): Mistake => ({
  step: 'order',
  change: { order: change },
  what,
  fix: SORT,
});
const escaping = (change: Recipe['escape'], what: string): Mistake => ({
  step: 'escape',
  change: { escape: change },
  what,
  fix: ESCAPE,
});
const stamps = (change: Recipe['stamps'], what: string): Mistake => ({
  step: 'stamps',
  change: { stamps: change },
  what,
  fix: STAMPS,
});
const nesting = (change: Recipe['nesting'], what: string): Mistake => ({
  step: 'nesting',
  change: { nesting: change },
  what,
  fix: PATHS,
});
const numbers = (change: Recipe['numbers'], what: string): Mistake => ({
  step: 'number',
  change: { numbers: change },
  what,
  fix: NUMBERS,
});
const empties = (change: Recipe['empties'], what: string): Mistake => ({
  step: 'empty',
  change: { empties: change },
  what,
  fix: EMPTIES,
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
const end = (change: Recipe['end'], what: string): Mistake => ({
  step: 'white space',
  change: { end: change },
  what,
  fix: EXACT,
});
const text = (change: Recipe['text'], what: string, fix = UTF8): Mistake => ({
  step: 'encoding',
  change: { text: change },
  what,
  fix,
});

/** All mistakes, the most likely first. */
export const MISTAKES: readonly Mistake[] = [
  order('as sent', 'the pairs are not sorted: they stand as the body has them, timestamp and nonce behind them'),
  order(
    'as sent, nonce first',
    'the pairs are not sorted: they stand as the body has them, nonce and timestamp behind them',
  ),
  order(
    'as sent, stamps first',
    'the pairs are not sorted: timestamp and nonce, and then the fields as the body has them',
  ),
  order('stamps last', 'the fields are sorted, but timestamp and nonce are put behind them'),
  order('nonce last', 'the fields are sorted, but nonce and timestamp are put behind them'),
  order('stamps first', 'timestamp and nonce are put before the sorted fields'),
  order('any case', 'the pairs are sorted without regard to case'),
  order('UTF-16', "the pairs are sorted by UTF-16 units, as JavaScript's and Java's sort do"),
  order('pairs', 'whole pairs were sorted, so that "=" took part in the order of the paths'),
  order('descending', 'the pairs are sorted backwards'),
  escaping('none', 'nothing is escaped'),
  escaping('URL', 'values are URL-encoded'),
  escaping('form', 'values are encoded as in a form, a blank as +'),
  escaping('URL, names too', 'paths and values are URL-encoded'),
  escaping('without %', '& and = are escaped, but % is not'),
  escaping('twice', 'the escaping was done twice'),
  escaping('as in the URL', "the query's values were signed as the URL has them, percent-encoded"),
  numbers('doubles', 'numbers were read as doubles and printed again (100.50 became 100.5)'),
  numbers('two decimals', 'numbers were printed with two decimals'),
  numbers('texts as doubles', 'strings that look like numbers were read as numbers ("100.00" became 100)'),
  empties('kept', 'empty fields are there as path= (or {} and [])'),
  empties('empty kept', 'empty strings are there as path='),
  empties('null as text', 'null is there as the word null'),
  nesting('JSON', 'objects and arrays were signed as JSON'),
  nesting('JSON spaced', 'objects and arrays were signed as JSON, with blanks'),
  nesting('JSON escaped', 'objects and arrays were signed as JSON, with / and letters beyond ASCII escaped'),
  nesting('brackets', 'members of objects were signed as metadata[ifsc]'),
  nesting('dotted indexes', 'elements of arrays were signed as items.0'),
  nesting('last names', 'members of objects were signed without the name of the object'),
  nesting('underscores', 'paths were joined with underscores'),
  nesting('left out', 'objects and arrays were left out'),
  stamps('no timestamp', 'the timestamp is missing'),
  stamps('no nonce', 'the nonce is missing'),
  stamps('none', 'timestamp and nonce are missing'),
  stamps('milliseconds', 'the timestamp was signed in milliseconds, and sent in seconds'),
  stamps('header names', 'timestamp and nonce are called X-Timestamp and X-Nonce in it'),
  stamps('and merchant', 'the merchant number was signed too: it is a header only'),
  join('values', 'only the values were joined'),
  join('k=v', 'the & between the pairs is missing'),
  join('lines', 'the pairs are joined by line breaks'),
  join('kv', 'paths and values are joined without = and &'),
  join('k:v', 'paths and values are joined by a colon'),
  join('commas', 'the pairs are joined by commas'),
  end('line feed', 'a line break follows the text, as echo and editors add it'),
  end('CR LF', 'a line break (CR LF) follows the text'),
  end('ampersand', 'an & follows the last pair'),
  end('blank', 'a blank follows the text'),
  end('question mark', 'the text begins with ?'),
  end('BOM', 'the text begins with a byte order mark'),
  whole('body', 'the body itself was signed'),
  whole('body, packed', 'the body itself was signed, without its white space'),
  whole('body, timestamp, nonce', 'the body with timestamp and nonce behind it was signed'),
  whole('timestamp, nonce, body', 'timestamp, nonce and body were signed, joined'),
  whole('timestamp.nonce.body', 'timestamp.nonce.body was signed'),
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
