import type { NumberPrint } from './print-number.ts';
import type { JsonPrint, ValuePrint } from './print-value.ts';

/** The paths of the interface, below `/api/v1/merchant/`. */
export const POST_PATHS = ['payin/create', 'payout/create'] as const;
export const GET_PATHS = ['payin/query', 'payout/query', 'wallet', 'wallet/transactions'] as const;
export type SignedPath = (typeof POST_PATHS | typeof GET_PATHS)[number];

/**
 * A way to make the text to sign: one value for each step. `RIGHT` has the correct values. The others are common
 * mistakes, which `mistakes.ts` explains.
 */
export interface Recipe {
  /** How nested fields are named, or printed as one text. `paths`: `metadata.ifsc` and `items[0]`. */
  nesting: 'paths' | 'brackets' | 'dotted indexes' | 'left out' | 'last names' | 'underscores' | ValuePrint;
  /** What happens with empty texts, empty objects and empty arrays. `empty kept`: only empty texts are signed. */
  empties: 'left out' | 'kept' | 'empty kept' | 'as arrays' | 'as objects' | 'PHP' | 'Go';
  /** How null is written. `nothing`: as an empty value. */
  nulls: 'left out' | 'nothing' | 'null' | 'None' | 'nil' | '<nil>' | 'NULL';
  /** How true and false are written. `1 and nothing`: false as an empty value. */
  booleans: 'true and false' | 'True and False' | 'TRUE and FALSE' | '1 and 0' | '1 and nothing' | '1 and left out';
  /** How numbers are written. */
  numbers: NumberPrint | 'texts as doubles';
  /** How texts are written. `HTML`: its characters escaped, with the apostrophe (and the quote) as stated. */
  values:
    | 'as they are'
    | 'trimmed'
    | 'HTML, &#039;'
    | 'HTML, &#x27;'
    | 'HTML, &#39;'
    | 'HTML, &#39; &#34;'
    | 'HTML, ASCII'
    | 'HTML, no apostrophe'
    | 'in apostrophes'
    | JsonPrint;
  /** How timestamp and nonce are signed, if at all. `and merchant`: the merchant number is signed too. */
  stamps: 'both' | 'no timestamp' | 'no nonce' | 'none' | 'milliseconds' | 'header names' | 'and merchant';
  /**
   * The order of the pairs. `pairs`: sorted by path and value together. `descending`: backwards. `any case`: upper and
   * lower case count as equal. `numeric`: paths that are numbers are compared as such; `natural`: digits within paths too.
   * `level by level`: the names of each object are sorted, not the whole paths.
   */
  order:
    | 'code points'
    | 'as sent'
    | 'as sent, nonce first'
    | 'as sent, stamps first'
    | 'stamps last'
    | 'nonce last'
    | 'any case'
    | 'UTF-16'
    | 'numeric'
    | 'natural'
    | 'level by level'
    | 'stamps first'
    | 'pairs'
    | 'descending';
  /** Which characters are escaped. `three characters`: `%`, `&` and `=`. */
  escape:
    | 'three characters'
    | 'none'
    | 'URL'
    | 'form'
    | 'URL, names too'
    | 'without %'
    | 'twice'
    | 'as in the URL'
    | 'as in the URL, escaped'
    | 'plus kept';
  /** How paths (k) and values (v) are joined. */
  join: 'k=v&' | 'values' | 'k=v' | 'lines' | 'kv' | 'k:v' | 'commas';
  /**
   * What is signed instead of the pairs. `no`: nothing else, the pairs are signed. `lines`: timestamp, nonce and body, a line each;
   * with a path also the method and the path before them, as WeChat Pay wants it.
   */
  whole:
    | 'no'
    | 'body'
    | 'body, packed'
    | 'body, sorted'
    | 'body, sorted, blanks'
    | 'body, sorted at the top'
    | 'body and stamps, sorted'
    | 'body and stamps, sorted, blanks'
    | 'body, timestamp, nonce'
    | 'timestamp, nonce, body'
    | 'timestamp.nonce.body'
    | 'lines'
    | `lines, ${SignedPath}`
    | 'nothing';
  /** A change of the complete text. */
  text: 'as it is' | 'NFC' | 'NFD' | 'escaped' | 'lower case' | 'upper case' | 'URL-encoded' | 'base64';
  /** What is added: a question mark or BOM in front of the text, the others behind it. `key`: a pair such as `&key=…`. */
  end: 'nothing' | 'line feed' | 'CR LF' | 'ampersand' | 'blank' | 'question mark' | 'BOM' | 'key';
  /** The encoding of the text as bytes. */
  bytes: 'UTF-8' | 'Latin-1' | 'UTF-16';
}

export const RIGHT: Recipe = {
  nesting: 'paths',
  empties: 'left out',
  nulls: 'left out',
  booleans: 'true and false',
  numbers: 'as they stand',
  values: 'as they are',
  stamps: 'both',
  order: 'code points',
  escape: 'three characters',
  join: 'k=v&',
  whole: 'no',
  text: 'as it is',
  end: 'nothing',
  bytes: 'UTF-8',
};
