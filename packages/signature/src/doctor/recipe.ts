/**
 * A way to make the text to sign. `RIGHT` is the correct one. Every other value is a common mistake, which
 * `mistakes.ts` describes.
 */
export interface Recipe {
  /** How members of objects and arrays are named. `paths`: `metadata.ifsc` and `items[0]`. */
  nesting:
    | 'paths'
    | 'brackets'
    | 'dotted indexes'
    | 'JSON'
    | 'JSON spaced'
    | 'JSON escaped'
    | 'left out'
    | 'last names'
    | 'underscores';
  /**
   * How null, empty texts, empty objects and empty arrays are written. `empty kept`: empty texts are signed, the others are
   * left out.
   */
  empties: 'left out' | 'kept' | 'null as text' | 'empty kept';
  /** How numbers are written. `as they stand`: as in the request. */
  numbers: 'as they stand' | 'doubles' | 'two decimals' | 'texts as doubles';
  /** Whether and how timestamp and nonce are signed. `and merchant`: the merchant number is signed too. */
  stamps: 'both' | 'no timestamp' | 'no nonce' | 'none' | 'milliseconds' | 'header names' | 'and merchant';
  /** The order of the pairs. `pairs`: sorted by path and value together. `descending`: sorted backwards. `any case`: sorted without regard to upper and lower case. */
  order:
    | 'code points'
    | 'as sent'
    | 'as sent, nonce first'
    | 'as sent, stamps first'
    | 'stamps last'
    | 'nonce last'
    | 'any case'
    | 'UTF-16'
    | 'stamps first'
    | 'pairs'
    | 'descending';
  /** What is escaped. `three characters`: `%`, `&` and `=`. */
  escape: 'three characters' | 'none' | 'URL' | 'form' | 'URL, names too' | 'without %' | 'twice' | 'as in the URL';
  /** How paths (k) and values (v) are joined. */
  join: 'k=v&' | 'values' | 'k=v' | 'lines' | 'kv' | 'k:v' | 'commas';
  /** What is signed instead of the pairs. `no`: the pairs are signed. */
  whole:
    | 'no'
    | 'body'
    | 'body, packed'
    | 'body, timestamp, nonce'
    | 'timestamp, nonce, body'
    | 'timestamp.nonce.body'
    | 'nothing';
  /** How the finished text is changed. */
  text: 'as it is' | 'NFC' | 'NFD' | 'escaped' | 'lower case' | 'upper case' | 'URL-encoded' | 'base64';
  /** What is added to the text: a question mark or BOM before it, anything else after it. */
  end: 'nothing' | 'line feed' | 'carriage return' | 'ampersand' | 'blank' | 'question mark' | 'BOM';
  /** The encoding of the text. */
  bytes: 'UTF-8' | 'Latin-1' | 'UTF-16';
}

export const RIGHT: Recipe = {
  nesting: 'paths',
  empties: 'left out',
  numbers: 'as they stand',
  stamps: 'both',
  order: 'code points',
  escape: 'three characters',
  join: 'k=v&',
  whole: 'no',
  text: 'as it is',
  end: 'nothing',
  bytes: 'UTF-8',
};
