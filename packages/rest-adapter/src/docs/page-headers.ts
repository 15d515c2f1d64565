/**
 * What every page and file of the documentation is sent with. Everything is ours and from here. The reference's renderer writes its styles
 * into the page and searches in a worker of its own making; beyond that nothing is let in.
 */
export const docsHeaders = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"],
    ...["connect-src 'self'", 'worker-src blob:', "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join('; '),
  // Documents change with a release only; an hour is how long an old one may be shown after it.
  'cache-control': 'public, max-age=3600',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
};
