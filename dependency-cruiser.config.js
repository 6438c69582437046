import { BUILT_IN_PACKAGES } from './scripts/build/built-in.js';

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Forbidden */

const ANYWHERE = '';

/**
 * Who may import whom; what a room does stands in its README.md. Of each folder of `src`: which others it may import,
 * and which packages, anywhere or in the files of it that a pattern names. `node` is all of Node.
 * @type {Readonly<Record<string, { rooms: string, packages: Readonly<Record<string, string>> }>>}
 */
export const table = {
  protocol: {
    rooms: '',
    // The special-purpose ranges of IP addresses.
    packages: { zod: ANYWHERE, 'ipaddr.js': 'host-reach.ts' },
  },
  runtime: { rooms: 'protocol', packages: { node: ANYWHERE, undici: 'system-undici.ts' } },
  // Pure: what documents and answers show; of runtime, the nearest name alone. The agent, the program and the
  // suite may ask it.
  discovery: { rooms: 'protocol|runtime', packages: {} },
  // What happened on the wire: as it is kept, redacted, explained and written down.
  traffic: {
    rooms: 'protocol|discovery|runtime',
    // A replay reads a file of somebody's, and signs as the recorded service did.
    packages: { zod: 'replay/read-transcript.ts', jose: 'replay/write-answer.ts' },
  },
  agent: {
    rooms: 'protocol|discovery|runtime',
    packages: {
      node: 'credentials/',
      'proper-lockfile': 'credentials/file-lock.ts',
      // The ID token of a sign-in in a browser, and what a client shows that has a key.
      jose: 'provider/check-id-token.ts|clients/client-assertion.ts',
    },
  },
  mock: {
    rooms: 'protocol|runtime|traffic',
    packages: {
      // Nowhere else: its types are not to come into ours.
      hono: 'http/|pages/',
      jose: ANYWHERE,
      // The keys of the mock itself: jose goes by a thread pool for each signature.
      'node:crypto': 'keys/signing-key.ts',
      '@hono/node-server': 'http/serve.ts',
      'node:http': 'http/(serve|serve-connections|limited-server|connection).ts',
      'node:https': 'http/limited-server.ts',
      'node:net': 'http/serve(-connections)?.ts',
      'node:stream': 'http/serve.ts',
      libsql: 'store/libsql-connection.ts',
      pg: 'store/pg-connections.ts',
      // The wrapper of the driver checks existence and mode of the database file.
      'node:fs': 'store/|http/openapi-route.ts',
      // The written OpenAPI documents.
      yaml: 'http/openapi-route.ts',
      // A turn of the event loop, and no time: what arrives in it is worked off together.
      'node:timers': 'store/database-libsql.ts',
    },
  },
  // Stands between an agent and a service: an app that is recorded and served as a mock is.
  proxy: { rooms: 'protocol|runtime|traffic|mock', packages: {} },
  'mock-provider': { rooms: 'protocol|runtime|traffic|mock', packages: {} },
  'mock-service': {
    rooms: 'protocol|runtime|traffic|mock',
    packages: {
      jose: ANYWHERE,
      zod: 'directory/',
      xmlbuilder: 'directory/answer.ts',
      '@modelcontextprotocol/server': 'mcp/mcp-tools.ts',
    },
  },
  conformance: {
    rooms: 'protocol|discovery|runtime|traffic|mock-provider|mock-service',
    packages: {
      node: ANYWHERE,
      zod: ANYWHERE,
      yaml: ANYWHERE,
      undici: 'http/http-client.ts',
      'tough-cookie': 'pages/',
      'node-html-parser': 'pages/',
      'playwright-core': 'user/browser-user.ts',
      xmlbuilder: 'reporters/junit.ts',
      // The suite's own reading of XML: strict, which no parser of ours shall be.
      saxes: 'http/read-xml.ts',
    },
  },
  // A user at a browser, by script: the demo and the kits have the same one.
  user: { rooms: 'runtime', packages: { 'node-html-parser': ANYWHERE } },
  // Runs in a browser: of ours it takes types, what the mocks name to it, and how a code and a span are written.
  live: { rooms: 'protocol|mock', packages: { preact: ANYWHERE } },
  testing: {
    // The suite for the matcher that runs it.
    rooms: 'protocol|runtime|agent|mock-provider|mock-service|user|conformance',
    packages: {
      msw: ANYWHERE,
      vitest: 'vitest.ts',
      // The signature of an ID-JAG, where a test asks for it.
      jose: 'matchers/id-jag-for.ts',
      // An application of somebody else's is served while it is judged.
      'node:http': 'conform/serve-app.ts',
      'node:net': 'conform/serve-app.ts',
      '@hono/node-server': 'conform/serve-app.ts',
    },
  },
  // Another door to the agent, for the models of other people's programs.
  mcp: {
    // What is a secret by its name is listed there.
    rooms: 'protocol|runtime|traffic|agent',
    packages: {
      '@modelcontextprotocol/server': ANYWHERE,
      zod: ANYWHERE,
    },
  },
  cli: {
    rooms:
      'protocol|runtime|traffic|agent|mcp|mock|mock-provider|mock-service|conformance|proxy|discovery|user',
    packages: {
      node: ANYWHERE,
      commander: ANYWHERE,
      ora: ANYWHERE,
      inquirer: ANYWHERE,
      open: ANYWHERE,
      uqr: ANYWHERE,
      // The configuration file; where in a JSON text a member stands; the examples of the rules.
      yaml: 'mock/servers/|lint/(find-line|present-rules).ts',
      // The signature of an ID-JAG that somebody else minted.
      jose: 'lint/id-jag/verify-signature.ts',
      // The authority of `--tls`.
      zod: 'mock/servers/',
      selfsigned: 'mock/servers/',
    },
  },
};

/** Rooms that may reach a single file behind another room's `index.ts`. */
const BEHIND_DOORS = 'cli|traffic|testing|live|mcp|mock|mock-provider|mock-service|proxy';

const rooms = Object.keys(table).join('|');

/** @type {(name: string, from: Forbidden['from'], to: Forbidden['to']) => Forbidden} */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

/** What a package of the table is called where dependency-cruiser has found it. */
export function packagePath(/** @type {string} */ name) {
  if (name === 'node') return '^(?!src/|node_modules/)';
  return name.startsWith('node:')
    ? `^${name.slice('node:'.length)}(/|$)`
    : `^node_modules/${name}/`;
}

/** @returns {Forbidden[]} */
function rulesOf(/** @type {string} */ room) {
  const { rooms: others = '', packages = {} } = table[room] ?? {};
  const path = `^src/${room}/`;
  const { node, ...named } = packages;
  const allowed = Object.keys(named).map(packagePath);
  return [
    forbid(`${room}: rooms`, { path }, { path: '^src/', pathNot: `^src/(${room}|${others})/` }),
    forbid(`${room}: packages`, { path }, { path: '^node_modules/', pathNot: allowed }),
    forbid(
      `${room}: node`,
      { path, ...(node === undefined ? {} : { pathNot: path + node }) },
      { dependencyTypes: ['core'], pathNot: allowed },
    ),
    ...Object.entries(named)
      .filter(([, where]) => where !== ANYWHERE)
      .map(([name, where]) =>
        forbid(
          `${room}: ${name}`,
          { path, pathNot: `${path}(${where})` },
          { path: packagePath(name) },
        ),
      ),
  ];
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.keys(table).flatMap(rulesOf),
    forbid('not in the table', { path: '^src/', pathNot: `^src/(${rooms})/` }, {}),
    // For their types alone and on call, too.
    forbid('circle', {}, { circular: true }),
    forbid('not found', {}, { couldNotResolve: true }),
    forbid(
      'outside src',
      {
        path: '^src/',
        // Data that is built into a module: of the directory, and the version and the Node that it needs.
        pathNot: '^src/(mock-service/directory/published|cli/shell/version).ts$',
      },
      { pathNot: '^(src|node_modules)/', dependencyTypesNot: ['core'] },
    ),
    forbid(
      'past a door',
      { path: `^src/(?!(?:${BEHIND_DOORS})/)([^/]+)/` },
      { path: '^src/', pathNot: ['^src/[^/]+/index.ts$', '^src/$1/'] },
    ),
    forbid(
      'faults are a layer on top',
      {
        path: '^src/(mock|mock-service|mock-provider)/',
        // The option, the assembly, and the doors.
        pathNot:
          '/faults/|^src/mock-(service|provider)/(options|mock-service|mock-provider|index).ts$|^src/mock-service/assembly/',
      },
      { path: '^src/[^/]+/faults/' },
    ),
    forbid(
      'one role of the suite in another',
      { path: '^src/conformance/(agent|provider|service)/' },
      { path: '^src/conformance/(agent|provider|service)/', pathNot: '^src/conformance/$1/' },
    ),
    forbid(
      // Node's types bring nothing in.
      'a second server',
      { path: '^src/mock/', pathNot: '/limited-server.ts$' },
      { path: '^http$', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      // An installed copy has what is declared, and what the build holds. The live view comes with its package in it.
      'not declared',
      { path: '^src/', pathNot: '^src/live/' },
      {
        path: '^node_modules/',
        pathNot: [...BUILT_IN_PACKAGES].map(packagePath),
        dependencyTypesNot: ['npm', 'npm-peer'],
      },
    ),
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
