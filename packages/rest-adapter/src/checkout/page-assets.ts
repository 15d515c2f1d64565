import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8').trim();
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Style and script are inline, so that the page needs one request. The content security policy has their hashes, so
 * that no other script or style runs.
 */
export const pageStyle = read('./page.css');
export const pageScript = read('./live-page.js');

/**
 * The page may load only the image of its QR code, from this service. It may send nothing. Only the page of the sandbox
 * has a form.
 */
export function contentSecurityPolicy(environment: 'sandbox' | 'production', hasImage: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(pageStyle)}`,
    `script-src ${hashOf(pageScript)}`,
    "connect-src 'self'",
    `img-src ${hasImage ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    `form-action ${environment === 'sandbox' ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
