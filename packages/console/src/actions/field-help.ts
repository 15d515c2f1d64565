const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** The API's help for a field, without a first sentence that only repeats the label. */
export function helpBeside(label: string, help: string): string {
  const known = new Set(wordsOf(label));
  const [first = '', ...rest] = help.split(/(?<=\.)\s+/);
  return wordsOf(first).every((word) => known.has(word)) ? rest.join(' ') : help;
}
