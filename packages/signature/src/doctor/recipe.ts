/**
 * A way to make the text to sign: one value for each step. `RIGHT` has the correct values. The others are common
 * mistakes, which `mistakes.ts` explains.
 */
export interface Recipe {
  /** How nested fields are named. `paths`: `metadata.ifsc` and `items[0]`. */
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
  /** What happens with null, empty texts, empty objects and empty arrays. `empty kept`: only empty texts are signed. */
  empties: 'left out' | 'kept' | 'null as text' | 'empty kept';
  /** How numbers are written. `as they stand`: exactly as in the request. */
  numbers: 'as they stand' | 'doubles' | 'two decimals' | 'texts as doubles';
  /** How timestamp and nonce are signed, if at all. `and merchant`: the merchant number is signed too. */
  stamps: 'both' | 'no timestamp' | 'no nonce' | 'none' | 'milliseconds' | 'header names' | 'and merchant';
  /**
   * The order of the pairs. `pairs`: sorted by path and value together. `descending`: backwards. `any case`: upper and
   * lower case count as equal.
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
    | 'stamps first'
    | 'pairs'
    | 'descending';
  /** Which characters are escaped. `three characters`: `%`, `&` and `=`. */
  escape: 'three characters' | 'none' | 'URL' | 'form' | 'URL, names too' | 'without %' | 'twice' | 'as in the URL';
  /** How paths (k) and values (v) are joined. */
  join: 'k=v&' | 'values' | 'k=v' | 'lines' | 'kv' | 'k:v' | 'commas';
  /** What is signed instead of the pairs. `no`: nothing else, the pairs are signed. */
  whole:
    | 'no'
    | 'body'
    | 'body, packed'
    | 'body, timestamp, nonce'
    | 'timestamp, nonce, body'
    | 'timestamp.nonce.body'
    | 'nothing';
  /** A change of the complete text. */
  text: 'as it is' | 'NFC' | 'NFD' | 'escaped' | 'lower case' | 'upper case' | 'URL-encoded' | 'base64';
  /** A character that is added: a question mark or BOM in front of the text, the others behind it. */
  end: 'nothing' | 'line feed' | 'CR LF' | 'ampersand' | 'blank' | 'question mark' | 'BOM';
  /** The encoding of the text as bytes. */
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
