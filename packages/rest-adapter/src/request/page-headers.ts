const others = {
  // Documents change only with a release. An old one may be shown for up to an hour afterwards.
  'cache-control': 'public, max-age=3600',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
};

const closed = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** Headers of the documentation's pages and files: they load only our own files, and send nothing. */
export const docsHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    ...closed,
  ].join('; '),
  ...others,
};

/** The reference's renderer fetches the document, and adds styles to the page. */
export const referenceHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    ...closed,
  ].join('; '),
  ...others,
};
