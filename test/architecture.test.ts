import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PACKAGES } from '../scripts/build/built-in.js';
import { type Architecture, check, type Rule } from './architecture/check.ts';
import { idleRules } from './architecture/idle-rules.ts';
import { readModule, type SourceFile } from './architecture/read-module.ts';

const anywhere = {};

/** Who may import whom; what a room does stands in its README.md. */
const architecture: Architecture = {
  table: {
    protocol: {
      folders: [],
      // The special-purpose ranges of IP addresses.
      packages: { zod: anywhere, 'ipaddr.js': { in: /^src\/protocol\/host-reach\.ts$/ } },
    },
    runtime: {
      folders: ['protocol'],
      packages: { 'node:*': anywhere, undici: anywhere },
    },
    // Pure: what documents and answers show; of runtime, the nearest name alone. The agent, the program and the
    // suite may ask it.
    discovery: { folders: ['protocol', 'runtime'], packages: {} },
    // What happened on the wire: as it is kept, redacted, explained and written down.
    traffic: {
      folders: ['protocol', 'discovery', 'runtime'],
      // A replay reads a file of somebody's, and signs as the recorded service did.
      packages: {
        zod: { in: /^src\/traffic\/replay\/read-transcript\.ts$/ },
        jose: { in: /^src\/traffic\/replay\/write-answer\.ts$/ },
      },
    },
    agent: {
      folders: ['protocol', 'discovery', 'runtime'],
      packages: {
        'node:*': { in: /^src\/agent\/credentials\// },
        'proper-lockfile': { in: /^src\/agent\/credentials\// },
        // The ID token of a sign-in in a browser, and what a client shows that has a key.
        jose: { in: /^src\/agent\/(provider\/check-id-token|clients\/client-assertion)\.ts$/ },
      },
    },
    mock: {
      folders: ['protocol', 'runtime', 'traffic'],
      packages: {
        // Nowhere else: its types are not to come into ours.
        hono: { in: /^src\/mock\/(http|pages)\// },
        jose: anywhere,
        // The keys of the mock itself: jose goes by a thread pool for each signature.
        'node:crypto': { in: /^src\/mock\/keys\/signing-key\.ts$/ },
        '@hono/node-server': { in: /^src\/mock\/http\/serve\.ts$/ },
        'node:http': {
          in: /^src\/mock\/http\/(serve(-connections)?|limited-server|connection)\.ts$/,
        },
        'node:net': { in: /^src\/mock\/http\/serve(-connections)?\.ts$/ },
        'node:stream': { in: /^src\/mock\/http\/serve\.ts$/ },
        'node:https': { in: /^src\/mock\/http\/limited-server\.ts$/ },
        libsql: { in: /^src\/mock\/store\// },
        pg: { in: /^src\/mock\/store\// },
        // The wrapper of the driver checks existence and mode of the database file.
        'node:fs': { in: /^src\/mock\/(store\/|http\/openapi-route\.ts$)/ },
        // The written OpenAPI documents.
        yaml: { in: /^src\/mock\/http\/openapi-route\.ts$/ },
        // A turn of the event loop, and no time: what arrives in it is worked off together.
        'node:timers': { in: /^src\/mock\/store\/database-libsql\.ts$/ },
      },
    },
    // Stands between an agent and a service: an app that is recorded and served as a mock is.
    proxy: { folders: ['protocol', 'runtime', 'traffic', 'mock'], packages: {} },
    'mock-provider': {
      folders: ['protocol', 'runtime', 'traffic', 'mock'],
      packages: {},
    },
    'mock-service': {
      folders: ['protocol', 'runtime', 'traffic', 'mock'],
      packages: {
        jose: anywhere,
        zod: { in: /^src\/mock-service\/directory\// },
        xmlbuilder: { in: /^src\/mock-service\/directory\// },
        '@modelcontextprotocol/server': { in: /^src\/mock-service\/mcp\/mcp-tools\.ts$/ },
      },
    },
    conformance: {
      folders: ['protocol', 'discovery', 'runtime', 'traffic', 'mock-provider', 'mock-service'],
      packages: {
        zod: anywhere,
        yaml: anywhere,
        undici: { in: /^src\/conformance\/http\// },
        'tough-cookie': { in: /^src\/conformance\/pages\// },
        'node-html-parser': { in: /^src\/conformance\/pages\// },
        'playwright-core': { in: /^src\/conformance\/user\/browser-user\.ts$/ },
        xmlbuilder: { in: /^src\/conformance\/reporters\/junit\.ts$/ },
        // The suite's own reading of XML: strict, which no parser of ours shall be.
        saxes: { in: /^src\/conformance\/http\/read-xml\.ts$/ },
        'node:*': anywhere,
      },
    },
    // A user at a browser, by script: the demo and the kits have the same one.
    user: { folders: ['runtime'], packages: { 'node-html-parser': anywhere } },
    // Runs in a browser: of ours it takes types alone, and what the mocks name to it.
    live: { folders: ['mock'], packages: { preact: anywhere } },
    testing: {
      // The suite for the matcher that runs it.
      folders: [
        'protocol',
        'runtime',
        'agent',
        'mock-provider',
        'mock-service',
        'user',
        'conformance',
      ],
      packages: {
        msw: anywhere,
        vitest: { in: /^src\/testing\/vitest\.ts$/ },
        // The signature of an ID-JAG, where a test asks for it.
        jose: { in: /^src\/testing\/matchers\/id-jag-for\.ts$/ },
        // An application of somebody else's is served while it is judged.
        'node:http': { in: /^src\/testing\/conform\/serve-app\.ts$/ },
        'node:net': { in: /^src\/testing\/conform\/serve-app\.ts$/ },
        '@hono/node-server': { in: /^src\/testing\/conform\/serve-app\.ts$/ },
      },
    },
    // Another door to the agent, for the models of other people's programs.
    mcp: {
      // What is a secret by its name is listed there.
      folders: ['protocol', 'runtime', 'traffic', 'agent'],
      packages: {
        '@modelcontextprotocol/server': anywhere,
        zod: anywhere,
        'node:stream': { in: /^src\/mcp\/stdio-transport\.ts$/ },
      },
    },
    cli: {
      folders: [
        'protocol',
        'runtime',
        'traffic',
        'agent',
        'mcp',
        'mock',
        'mock-provider',
        'mock-service',
        'conformance',
        'proxy',
        'discovery',
        'user',
      ],
      packages: {
        commander: anywhere,
        ora: anywhere,
        inquirer: anywhere,
        open: anywhere,
        uqr: anywhere,
        // The configuration file; where in a JSON text a member stands; the examples of the rules.
        yaml: { in: /^src\/cli\/(mock\/servers\/|lint\/(find-line|present-rules)\.ts$)/ },
        // The signature of an ID-JAG that somebody else minted.
        jose: { in: /^src\/cli\/lint\/id-jag\/verify-signature\.ts$/ },
        // The authority of `--tls`.
        zod: { in: /^src\/cli\/mock\/servers\// },
        selfsigned: { in: /^src\/cli\/mock\/servers\// },
        'node:*': anywhere,
      },
    },
  },
  behindDoors: [
    'cli',
    'traffic',
    'testing',
    'live',
    'mcp',
    'mock',
    'mock-provider',
    'mock-service',
    'proxy',
  ],
  oneFile: ['undici', 'libsql', 'pg', '@hono/node-server', 'node:http', 'xmlbuilder'],
  names: [
    {
      from: 'runtime',
      // The kits are left out: they choose the system's ports where nobody chose others.
      folders: ['agent', 'mcp', 'mock', 'proxy', 'mock-provider', 'mock-service', 'conformance'],
      refused: /^(system|limitFetch$)/,
      why: 'the effects come in as ports',
    },
    {
      from: 'protocol',
      folders: ['conformance'],
      refused: /^(?!([A-Z][A-Z0-9_]*|mayReach)$)/,
      why: 'a bug in shared code must not hide itself; types, constants and the classes of IP addresses of ipaddr.js are free',
    },
  ],
  outside: [
    { from: /^src\/mock-service\/directory\//, to: /^fixtures\/directory\/[^/]+\.json$/ },
    // Its version and the Node that it needs.
    { from: /^src\/cli\/shell\/version\.ts$/, to: /^package\.json$/ },
  ],
  effectsIn: [
    /^src\/runtime\/system[^/]*\.ts$/,
    /^src\/mock\/http\/serve[^/]*\.ts$/,
    /^src\/agent\/credentials\//,
    /^src\/cli\//,
    /^src\/live\/browser\.ts$/,
  ],
  topLayers: [
    {
      folders: ['mock', 'mock-service', 'mock-provider'],
      at: /^src\/[a-z-]+\/faults\//,
      // `default` is another word.
      word: /(?<!de)fault/i,
      mayNameIt: [
        // The controls list and switch faults by name; the audit trail names them.
        /^src\/mock\/controls\//,
        // Its buttons switch them.
        /^src\/mock\/live\//,
        /^src\/mock\/audit\/audit\.ts$/,
      ],
      mayImportIt: [
        // The option, the assembly, and the doors.
        /^src\/mock-(service|provider)\/options\.ts$/,
        /^src\/mock-service\/(mock-service\.ts$|assembly\/)/,
        /^src\/mock-provider\/mock-provider\.ts$/,
        /^src\/mock-(service|provider)\/index\.ts$/,
      ],
    },
  ],
  longestFile: 330,
  longFiles: {
    'src/protocol/codes.ts': 'one table of data: every wire code, its status and what to do',
  },
};

/** Names that `nested` and `first` write and the wire contract's own dialect does not. */
const OF_OTHER_DIALECTS =
  /\b(register_uri|claim_uri|revocation_uri|complete_ur[il]|claim_link|skill_uri|supported_identity_types|requested_credential_type|credential_types?(_supported)?|credential_expires|otp|(pre|post)_claim|agent_reg_\w+|refresh_token)\b/g;

/** The adapters; the credential file's own schema; faults, which add what nobody asked for; sign-ins of the standard. */
const MAY_NAME_OTHERS = [
  /^src\/(agent|mock-service)\/dialects\//,
  /^src\/agent\/credentials\//,
  /^src\/mock-service\/faults\//,
  // Of OpenID Connect.
  /^src\/agent\/provider\//,
];

const root = join(import.meta.dirname, '..');

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.split(sep).join('/'));
}

const sources: SourceFile[] = filesUnder('src')
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the architecture', () => {
  it('keeps every rule', () => {
    expect(
      check(sources, architecture).map(({ rule, at, detail }) => `${rule}  ${at}  ${detail}`),
    ).toEqual([]);
  });

  it('has no rule that matches nothing', () => {
    expect(idleRules(sources, architecture)).toEqual([]);
  });

  it('has only TypeScript under src', () => {
    // But for the style sheets of the live view, and what a room says of itself.
    const isSource = (path: string) =>
      /\.tsx?$|^src\/live\/style\/[\w-]+\.css$|\/README\.md$/.test(path);
    expect(filesUnder('src').filter((path) => !isSource(path))).toEqual([]);
  });

  it('has no time limit that a garbage collection may take away: startDeadline holds its own', () => {
    const weak = sources.filter(({ text }) => /\bAbortSignal\s*\.\s*timeout\s*\(/.test(text));
    expect(weak.map(({ path }) => path)).toEqual([]);
  });

  it('knows members of another dialect in its adapters alone', () => {
    const elsewhere = sources.flatMap(({ path, text }) => {
      const allowed = MAY_NAME_OTHERS.some((place) => place.test(path));
      if (!/^src\/(agent|mock-service)\//.test(path) || allowed) return [];
      return [...text.matchAll(OF_OTHER_DIALECTS)].map(([name]) => `${path}: ${name}`);
    });
    expect(elsewhere).toEqual([]);
  });

  it('declares each package that src imports and the build does not hold, so that an installed copy has it', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'peerDependencies', Record<string, string>>;
    const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
    const imported = sources
      // The page of the live view comes with its package in it.
      .filter(({ path }) => !path.startsWith('src/live/'))
      .flatMap((file) => readModule(file).imports)
      .map(({ specifier = '' }) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
    const missing = imported.filter((name) => !declared.has(name) && !BUILT_IN_PACKAGES.has(name));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('imports nothing from one role of the suite into another', () => {
    const roleOf = (path: string) =>
      /^src\/conformance\/(agent|provider|service)\//.exec(path)?.[1];
    const across = sources.flatMap((file) =>
      readModule(file).imports.flatMap(({ specifier = '' }) => {
        const [from, to] = [file.path, posix.join(posix.dirname(file.path), specifier)];
        const isAcross = roleOf(from) && roleOf(to) && roleOf(from) !== roleOf(to);
        return isAcross ? [`${from} → ${to}`] : [];
      }),
    );
    expect(across).toEqual([]);
  });

  it('gives a reason for a long file that exists and is long', () => {
    const lines = new Map(sources.map((file) => [file.path, readModule(file).lineCount]));
    const idle = Object.keys(architecture.longFiles).filter(
      (path) => (lines.get(path) ?? 0) <= architecture.longestFile,
    );
    expect(idle).toEqual([]);
  });

  it('names test files in kebab-case, too', () => {
    const odd = filesUnder('test').filter(
      (path) => !/\/(README\.md|[a-z0-9-]+(\.[a-z0-9-]+)*)$/.test(path),
    );
    expect(odd).toEqual([]);
  });
});

describe('the checker', () => {
  const rulesBroken = (...files: [path: string, text: string][]): Rule[] =>
    check(
      files.map(([path, text]) => ({ path: `src/${path}`, text })),
      architecture,
    ).map(({ rule }) => rule);

  it.each<[what: string, rule: Rule, path: string, text: string]>([
    ['a static import', 'import', 'agent/a.ts', `import { x } from '../mock-service/index.ts';`],
    ['a type import', 'import', 'protocol/a.ts', `import type { X } from '../runtime/index.ts';`],
    [
      'a re-export',
      'import',
      'mock-service/a.ts',
      `export { x } from '../mock-provider/index.ts';`,
    ],
    ['an export of everything', 'import', 'mock/a.ts', `export * from '../agent/index.ts';`],
    ['a dynamic import', 'import', 'conformance/a.ts', `await import('../agent/index.ts');`],
    [
      'the type of an import',
      'import',
      'mock-provider/a.ts',
      `export type X = import('../mock-service/index.ts').X;`,
    ],
    ['a require', 'import', 'agent/a.ts', `const x = require('../mock/index.ts'); x();`],
    ['a package of another folder', 'import', 'protocol/a.ts', `import { Hono } from 'hono';`],
    ['a subpath of it', 'import', 'agent/a.ts', `import { html } from 'hono/html';`],
    ['a package of nobody', 'import', 'cli/a.ts', `import 'left-pad';`],
    ['a type of another package', 'import', 'protocol/a.ts', `import type { JWK } from 'jose';`],
    ['Node outside its folders', 'import', 'agent/a.ts', `import { readFile } from 'node:fs';`],
    ['the lock outside credentials', 'import', 'agent/a.ts', `import 'proper-lockfile';`],
    ['hono outside its folders', 'import', 'mock/a.ts', `import type { Context } from 'hono';`],
    ['the server outside serve', 'import', 'mock/a.ts', `import '@hono/node-server';`],
    ['an import past a door', 'door', 'agent/a.ts', `import { x } from '../runtime/ports.ts';`],
    ['an import of the cli', 'cli', 'mock/a.ts', `import { main } from '../cli/main.ts';`],
    ['a browser driver', 'import', 'cli/a.ts', `import { chromium } from 'playwright-core';`],
    [
      'the system clock',
      'names',
      'agent/a.ts',
      `import { systemClock } from '../runtime/index.ts';`,
    ],
    ['all names at once', 'names', 'agent/a.ts', `import * as runtime from '../runtime/index.ts';`],
    [
      'a parser under test by itself',
      'names',
      'conformance/a.ts',
      `import { parseChallenge } from '../protocol/index.ts';`,
    ],
    ['a computed path', 'computed-import', 'cli/a.ts', 'const x = "y"; await import(x);'],
    ['an import of the built file', 'extension', 'agent/a.ts', `import { x } from './b.js';`],
    ['an import from outside src', 'outside', 'cli/a.ts', `import p from '../../package.json';`],
    [
      'data of the directory in another folder',
      'outside',
      'mock-service/a.ts',
      `import s from '../../fixtures/directory/services.json' with { type: 'json' };`,
    ],
    ['an unknown folder', 'folder', 'utils/a.ts', 'export const x = 1;'],
    ['a file beside the folders', 'folder', 'index.ts', 'export const x = 1;'],
    ['a name in camelCase', 'file-name', 'agent/pollLoop.ts', 'export const x = 1;'],
    ['a default export', 'default-export', 'agent/a.ts', 'export default 1;'],
    ['a renamed default', 'default-export', 'agent/a.ts', 'const x = 1; export { x as default };'],
    ['a file of two ideas', 'length', 'agent/a.ts', 'export {};\n'.repeat(331)],
    ['Date.now', 'effect', 'agent/a.ts', 'export const x = Date.now();'],
    ['Date["now"]', 'effect', 'agent/a.ts', 'export const x = Date["now"]();'],
    ['new Date()', 'effect', 'mock/a.ts', 'export const x = new Date();'],
    ['Math.random', 'effect', 'mock-service/a.ts', 'export const x = () => Math.random();'],
    ['setTimeout', 'effect', 'runtime/a.ts', 'setTimeout(() => {}, 1);'],
    ['setTimeout handed on', 'effect', 'runtime/a.ts', 'export const later = setTimeout;'],
    ['process', 'effect', 'agent/a.ts', 'export const { env } = process;'],
    ['console', 'effect', 'mock/a.ts', 'console.log(1);'],
    ['the global fetch', 'effect', 'agent/a.ts', `export const x = fetch('https://a.example');`],
    ['fetch as a default', 'effect', 'agent/a.ts', 'export const f = (get = fetch) => get;'],
    ['a shorthand', 'effect', 'agent/a.ts', 'export const ports = { fetch };'],
    ['globalThis', 'effect', 'agent/a.ts', 'globalThis.setTimeout(() => {}, 1);'],
    ['a clock in a signal', 'effect', 'agent/a.ts', 'AbortSignal.timeout(5);'],
    ['randomness', 'effect', 'mock/a.ts', 'export const x = crypto.randomUUID();'],
  ])('finds %s', (_what, rule, path, text) => {
    expect(rulesBroken([path, text])).toEqual([rule]);
  });

  it.each([
    ["import 'undici';", ['one-file']],
    ["import type { Dispatcher } from 'undici';", ['one-file']],
    ["import type { Server } from 'node:http';", []],
  ])('finds a second file that has %s', (text, broken) => {
    expect(rulesBroken(['runtime/a.ts', text], ['runtime/b.ts', text])).toEqual(broken);
  });

  it('finds files that need each other, for their types alone too', () => {
    const broken = rulesBroken(
      ['agent/x/a.ts', `import { b } from './b.ts';`],
      ['agent/x/b.ts', `import { c } from './c.ts';`],
      ['agent/x/c.ts', `import type { A } from './a.ts';`],
    );
    expect(broken).toEqual(['circle']);
  });

  it('finds files of which one is imported on call alone', () => {
    const broken = rulesBroken(
      ['agent/x/a.ts', `export const b = () => import('./b.ts');`],
      ['agent/x/b.ts', `import type { A } from './a.ts';`],
    );
    expect(broken).toEqual(['circle']);
  });

  it('finds folders of a product that need each other, for their types alone too', () => {
    const broken = rulesBroken(
      ['agent/claim/a.ts', `import { b } from '../register/b.ts';`],
      ['agent/register/b.ts', `import { c } from '../c.ts';`],
      ['agent/c.ts', `import type { D } from './claim/d.ts';`],
      ['agent/claim/d.ts', 'export interface D {}'],
    );
    expect(broken).toEqual(['room-circle']);
  });

  it('finds entries that match no file and no import', () => {
    const files = [{ path: 'src/agent/a.ts', text: `import '../protocol/index.ts';` }];
    const found = idleRules(files, {
      ...architecture,
      table: {
        agent: { folders: ['protocol', 'runtime'], packages: { jose: anywhere } },
        mcp: { folders: ['agent'], packages: {} },
      },
    });
    expect(found.filter((line) => line.startsWith('table'))).toEqual([
      'table: agent imports nothing of runtime',
      'table: agent imports jose nowhere that allows it',
      'table: mcp imports nothing of agent',
    ]);
  });

  it('finds a circle once, and not what merely leads into it', () => {
    const broken = rulesBroken(
      ['agent/x/a.ts', `import { b } from './b.ts';`],
      ['agent/x/b.ts', `import { c } from './c.ts';`],
      ['agent/x/c.ts', `import { b } from './b.ts';`],
    );
    expect(broken).toEqual(['circle']);
  });

  it.each<[what: string, path: string, text: string]>([
    ['a word of the top layer', 'mock-service/a.ts', 'export const faulty = 1;'],
    ['it in a comment', 'mock/http/a.ts', '// By a fault.\nexport const x = 1;'],
    ['an import of the top layer', 'mock/controls/a.ts', `import { X } from '../faults/index.ts';`],
  ])('finds %s below it', (_what, path, text) => {
    expect(rulesBroken([path, text])).toEqual(['top-layer']);
  });

  it('finds two folders that import each other', () => {
    const broken = rulesBroken(
      ['mock/a.ts', `import { x } from '../runtime/index.ts';`],
      ['runtime/a.ts', `import { x } from '../mock/index.ts';`],
    );
    expect(broken).toEqual(['import', 'cycle']);
  });

  it.each<[what: string, path: string, text: string]>([
    ['a door', 'agent/a.ts', `import { x } from '../protocol/index.ts';`],
    ['a file of the same folder', 'agent/a.ts', `import { x } from './credentials/lock.ts';`],
    ['a file behind a door, for the cli', 'cli/a.ts', `import { x } from '../agent/poll.ts';`],
    ['a subpath of hono', 'mock/http/a.ts', `import { html } from 'hono/html';`],
    [
      'types of the system clock',
      'agent/a.ts',
      `import type { systemClock } from '../runtime/index.ts';`,
    ],
    [
      'constants, for conformance',
      'conformance/a.ts',
      `import { GRANT } from '../protocol/index.ts';`,
    ],
    ['a date of a given instant', 'agent/a.ts', 'export const at = (ms: number) => new Date(ms);'],
    ['a fetch that came in', 'agent/a.ts', `export const get = (fetch: Fetch) => fetch('x');`],
    [
      'a fetch out of an object',
      'agent/a.ts',
      `export const get = ({ fetch }: Ports) => fetch('x');`,
    ],
    ['a member of that name', 'agent/a.ts', `export const get = (p: Ports) => p.fetch(p.process);`],
    [
      'a type of that name',
      'agent/a.ts',
      'export interface P { fetch: typeof fetch; console(): void }',
    ],
    [
      'published data of the directory',
      'mock-service/directory/a.ts',
      `import s from '../../../fixtures/directory/services.json' with { type: 'json' };`,
    ],
    ['a default', 'mock-service/a.ts', '/** Default: none. */\nexport const x = 1;'],
    ['effects of the cli', 'cli/a.ts', 'console.log(process.argv, Date.now());'],
    ['effects of the system ports', 'runtime/system-fetch.ts', 'export const x = Date.now();'],
  ])('lets %s pass', (_what, path, text) => {
    expect(rulesBroken([path, text])).toEqual([]);
  });

  it('refuses a file that it cannot read', () => {
    expect(() => rulesBroken(['agent/a.ts', 'export const = ;'])).toThrow(SyntaxError);
  });
});
