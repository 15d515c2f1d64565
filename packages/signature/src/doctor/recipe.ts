/** A way to make the text to sign. `RIGHT` is the correct one. Every other value is a common mistake. */
export interface Recipe {
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
  empties: 'left out' | 'kept' | 'null as text' | 'empty kept';
  numbers: 'as they stand' | 'doubles' | 'two decimals' | 'texts as doubles';
  stamps: 'both' | 'no timestamp' | 'no nonce' | 'none' | 'milliseconds' | 'header names' | 'and merchant';
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
    | 'falling';
  escape: 'three characters' | 'none' | 'URL' | 'form' | 'URL, names too' | 'without %' | 'twice' | 'as in the URL';
  join: 'k=v&' | 'values' | 'k=v' | 'lines' | 'kv' | 'k:v' | 'commas';
  whole:
    | 'no'
    | 'body'
    | 'body, packed'
    | 'body, timestamp, nonce'
    | 'timestamp, nonce, body'
    | 'timestamp.nonce.body'
    | 'nothing';
  text: 'as it is' | 'NFC' | 'NFD' | 'escaped' | 'lower case' | 'upper case' | 'URL-encoded' | 'base64';
  end: 'nothing' | 'line feed' | 'carriage return' | 'ampersand' | 'blank' | 'question mark' | 'BOM';
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
