/**
 * Why the package needs each package that it needs, and what loads it. `npm run package:weight` writes these into
 * `docs/package.md`, beside what it measures; a test holds that none is missing and none is left over.
 */

/** @typedef {{ why: string, loaded: string }} Reason */

/** What `npm i agent-auth` installs. @type {Readonly<Record<string, Reason>>} */
export const INSTALLED = {
  commander: {
    why: 'commands, options and their help; the program is built on it',
    loaded:
      'never: the build holds what is used of it; it is installed so that `npm ls` and audits name it',
  },
  inquirer: { why: 'questions to a person in a terminal', loaded: 'when a question is asked' },
  jose: {
    why: 'signs and verifies JWTs, reads and writes JWKs',
    loaded: 'the mocks, and the suite, which judges against them',
  },
  libsql: {
    why: 'SQLite, in memory or in a file, on Node 20 too, which has none of its own',
    loaded: 'the mocks, but for `--db postgres://…`, and the suite, which has mocks as peers',
  },
  open: { why: 'opens a page in the browser of the user', loaded: 'when a page is opened' },
  ora: { why: 'the spinner in a terminal', loaded: 'when a command waits in a terminal' },
  'proper-lockfile': {
    why: 'one writer at a time for the credential file, across processes',
    loaded: 'when credentials are written',
  },
  saxes: {
    why: 'a strict XML parser: the suite judges XML that others write',
    loaded: '`conformance`',
  },
  undici: {
    why: 'the HTTP client; the suite sends with a client of its own, byte by byte',
    loaded: '`conformance`; everything else has what is used of it in the build',
  },
  uqr: {
    why: 'the QR code of a link, for a user with a phone',
    loaded: 'the key `q` while a claim waits',
  },
  yaml: {
    why: 'configurations, requirements and baselines, with the line of a mistake',
    loaded: '`mock` with `--config`, `conformance`, `lint`',
  },
};

/** What the build holds a part of, in `dist`. @type {Readonly<Record<string, Reason>>} */
export const BUILT = {
  '@hono/node-server': {
    why: 'hono on the HTTP server of Node',
    loaded: 'a mock or a proxy that listens',
  },
  commander: { why: 'commands, options and help', loaded: 'every command' },
  hono: {
    why: 'routes, cookies, CORS and escaped HTML of the mocks',
    loaded: 'the mocks and the proxy',
  },
  'ipaddr.js': {
    why: 'tells whether an IP is public, private or of this machine, before anything is asked of it that a service named',
    loaded: 'what judges a URL that somebody else named',
  },
  'node-html-parser': {
    why: 'reads pages and their forms as a user of the suite and of the demo',
    loaded: '`conformance`, `demo`',
  },
  preact: { why: 'the page of the live view', loaded: 'in the browser' },
  selfsigned: {
    why: 'a certificate authority for one run, and its certificate',
    loaded: '`mock --tls`',
  },
  'tough-cookie': {
    why: 'the cookies of a browser, with the rules of sites',
    loaded: '`conformance`',
  },
  undici: { why: 'the HTTP client', loaded: 'every command that sends something' },
  xmlbuilder2: {
    why: 'XML with every character escaped or replaced: the directory, and JUnit reports',
    loaded: '`conformance`, which runs it for `--report junit` alone, and the directory as XML',
  },
  zod: { why: 'the schemas of the wire', loaded: 'what reads an answer or a configuration' },
};

/** What is used where the reader has it. @type {Readonly<Record<string, string>>} */
export const OPTIONAL = {
  '@modelcontextprotocol/server': '`agent-auth mcp`',
  msw: '`agent-auth/msw`: the mocks as handlers of Mock Service Worker',
  pg: '`--db postgres://…`: several replicas of a mock with one store',
  'playwright-core': '`conformance --user browser`: a user in Chromium',
  vitest: '`agent-auth/vitest`: fixtures and matchers',
};
