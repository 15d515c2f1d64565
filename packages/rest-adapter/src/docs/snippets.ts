import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/signing/', import.meta.url);

/** Signing in other languages: files of docs/signing, shown in the guide and served as they are. */
export const snippets = [
  { file: 'Sign.java', language: 'Java' },
  { file: 'sign.php', language: 'PHP' },
  { file: 'sign.py', language: 'Python' },
  { file: 'sign.go', language: 'Go' },
  { file: 'sign.sh', language: 'curl and openssl' },
  { file: 'verify.sh', language: 'curl and openssl: verify a notification' },
] as const;

export type SnippetFile = (typeof snippets)[number]['file'];

export const snippetPath = (file: SnippetFile): string => `/docs/signing/${file}`;

export function readSnippet(file: SnippetFile): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}
