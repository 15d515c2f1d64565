/**
 * Whether a text that a person wrote says something in at most `most` characters. Spaces, control characters and marks
 * that nobody sees say nothing.
 */
export function saysSomething(text: string, most: number): boolean {
  return text.length <= most && text.isWellFormed() && !text.includes('\u0000') && /[^\s\p{C}\p{DI}\u2800]/u.test(text);
}
