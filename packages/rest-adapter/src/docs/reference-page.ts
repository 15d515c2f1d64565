import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The one picture that the renderer would load from another server. */
const FOREIGN_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_PICTURE = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** Redoc without that picture. */
export function readRenderer(): string {
  const file = fileURLToPath(import.meta.resolve('redoc/bundles/redoc.standalone.js'));
  return readFileSync(file, 'utf8').replaceAll(FOREIGN_LOGO, NO_PICTURE);
}

/** The reference page below the navigation. */
export const referenceBody = `<main id="content" class="reference" tabindex="-1"></main>
<noscript><p class="note">This page needs JavaScript. The same is in <a href="/docs/openapi.json">openapi.json</a>.</p></noscript>
<script src="/docs/redoc.js"></script>
<script src="/docs/reference.js"></script>`;
