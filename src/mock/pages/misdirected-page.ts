import { sha256Bytes } from '../../runtime/hash.ts';
import { MISDIRECTED } from '../http/host-check.ts';
import { NO_STORE } from '../http/response.ts';

const STYLE =
  'html{color-scheme:light dark}body{max-width:36rem;margin:12vh auto;padding:0 1.25rem;font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}p:first-child{font-weight:600}';

const HASH = btoa(String.fromCharCode(...sha256Bytes(STYLE)));

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Wrong host</title>
  <style>${STYLE}</style>
</head>
<body>
  <main>
    <p>Error 421</p>
    <h1>Wrong host</h1>
    <p>${MISDIRECTED}</p>
  </main>
</body>
</html>
`;

/**
 * What a browser is shown that came by a host that is none of ours: whose page it would be is not said, and nothing
 * is loaded, which would come by that host as well. So the one style stands in it, and the policy names its hash.
 */
export function misdirectedPage(): Response {
  return new Response(PAGE, {
    status: 421,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${HASH}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...NO_STORE,
    },
  });
}
