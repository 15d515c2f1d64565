import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/signing/', import.meta.url);

/** Signing in other languages: files of docs/signing, shown in the guide and served unchanged. */
export const snippets = [
  { file: 'Sign.java', language: 'Java', highlight: 'java' },
  { file: 'sign.php', language: 'PHP', highlight: 'php' },
  { file: 'sign.py', language: 'Python', highlight: 'python' },
  { file: 'sign.go', language: 'Go', highlight: 'go' },
  { file: 'sign.sh', language: 'curl', highlight: 'sh' },
  { file: 'verify.sh', language: 'verify (curl)', highlight: 'sh' },
] as const;

export type SnippetFile = (typeof snippets)[number]['file'];

export const snippetPath = (file: SnippetFile): string => `/docs/signing/${file}`;

export function readSnippet(file: SnippetFile): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}
