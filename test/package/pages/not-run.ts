import type { Block } from './read-page.ts';

/** What no test of the pages runs, and why. Each names what it is for; one that names nothing fails. */
export interface NotRun {
  /** `docs/proxy.md`. */
  readonly page: string;
  /** What a block or a command begins with; left out for all of the page of these kinds. */
  readonly starts?: string;
  /** Of blocks, where not all. */
  readonly kinds?: readonly string[];
  readonly reason: string;
  /** The test that holds it in place of this one. */
  readonly by?: string;
}

export const NOT_RUN: readonly NotRun[] = [
  ...['cp node_modules/', 'npm install', 'node express', 'agent-auth conformance'].map(
    (starts) => ({
      page: 'docs/copy-an-example.md',
      starts,
      reason: 'starts a service that does not end, and judges it as that test does',
      by: 'test/conformance/judged/literal-services.test.ts',
    }),
  ),
  {
    page: 'docs/conformance.md',
    starts: 'agent-auth conformance service --mock',
    reason:
      'all of the suite, which README types against a mock that runs; of --mock another page types a part',
    by: 'test/conformance/faults/service-checks.test.ts',
  },
  ...[
    ['README.md', 'npx agent-auth conformance service http://127.0.0.1:8080 --section protocol'],
    [
      'docs/conformance.md',
      'agent-auth conformance service http://127.0.0.1:8080 --section protocol',
    ],
    [
      'docs/make-a-service-agent-ready.md',
      'agent-auth conformance service http://127.0.0.1:4800 --section protocol --write-baseline',
    ],
  ].map(([page = '', starts = '']) => ({
    page,
    starts,
    reason: 'judges by a section, as docs/test-in-ci.md does with the same options',
    by: 'test/package/pages.test.ts',
  })),
  ...['agent-auth conformance agent -- COMMAND', 'agent-auth conformance agent --watch'].map(
    (starts) => ({
      page: 'docs/test-an-agent.md',
      starts,
      reason: 'needs an agent of the reader, and judges it for a minute',
      by: 'test/conformance/agent/watch.test.ts',
    }),
  ),
  ...[
    'agent-auth connect http://127.0.0.1:4800/mcp',
    'agent-auth provider login https://id.example.com',
    'agent-auth connect https://mcp.example.com/mcp',
    'import { Agent }',
  ].map((starts) => ({
    page: 'docs/give-an-mcp-client-access.md',
    starts,
    reason: 'waits for a sign-in in a browser',
    by: 'test/cli/stories/cross-app.test.ts',
  })),
  {
    page: 'docs/judge-your-resource-server.md',
    starts: 'agent-auth conformance service http://127.0.0.1:8080/mcp',
    reason: 'needs a server of the reader',
    by: 'test/conformance/judged/cross-app.test.ts',
  },
  {
    page: 'docs/test-cross-app-access.md',
    starts: 'import { Client,',
    reason: 'needs the ID token of a sign-in in a browser',
    by: 'test/package/cross-app-page.test.ts',
  },
  {
    page: 'docs/test-cross-app-access.md',
    starts: '// gateway.js',
    reason: 'needs the ID token of a sign-in in a browser',
    by: 'test/package/cross-app-page.test.ts',
  },
  {
    page: 'docs/test-cross-app-access.md',
    starts: '# compose.yaml',
    reason: 'needs Docker; what it starts is started without it, with the words of the file',
    by: 'test/cli/built/service-container.test.ts',
  },
  {
    page: 'docs/test-cross-app-access.md',
    starts: 'docker',
    reason: 'needs Docker; what the image holds and starts is started without it',
    by: 'test/cli/built/service-container.test.ts',
  },
  {
    page: 'docs/test-cross-app-access.md',
    starts: 'curl -u app:a-test-secret',
    reason: 'needs the ID token of a sign-in in a browser',
    by: 'test/mock-provider/authorize.test.ts',
  },
  {
    page: 'docs/test-cross-app-access.md',
    starts: 'agent-auth mock up --client',
    reason: 'the mocks of the page run already',
    by: 'test/mock-options/rows/cross-app.ts',
  },
  {
    page: 'docs/mcp.md',
    kinds: ['json', 'toml', 'yaml'],
    reason:
      'configurations of hosts, which that test reads as they do; another one starts the server',
    by: 'test/cli/mcp/hosts.test.ts',
  },
  {
    page: 'README.md',
    starts: "import { expect, test } from 'agent-auth/vitest'",
    reason: 'a test, which is run in a project of somebody else with Vitest installed',
    by: 'test/package/test-kits.test.ts',
  },
  {
    page: 'docs/test-kits.md',
    kinds: ['ts'],
    reason: 'tests, which are run in a project of somebody else with Vitest installed',
    by: 'test/package/test-kits.test.ts',
  },
  {
    page: 'docs/test-kits.md',
    starts: 'Does not conform',
    kinds: ['text'],
    reason: 'what a test says that fails, and none of the page does',
    by: 'test/testing/judge.test.ts',
  },
  ...['python3', "SERVICE='python3", 'SERVICE_URL=', 'go test'].map((starts) => ({
    page: 'docs/other-languages.md',
    starts,
    reason: 'needs Python or Go, and is run there where they are',
    by: 'test/package/languages.test.ts',
  })),
  ...['.......', 'test_service.py::'].map((starts) => ({
    page: 'docs/other-languages.md',
    starts,
    kinds: ['text'],
    reason: 'is printed by Python, which is run there where it is',
    by: 'test/package/languages.test.ts',
  })),
  {
    page: 'docs/test-in-ci.md',
    starts: 'docker',
    reason: 'needs Docker; what the image holds and starts is started without it',
    by: 'test/cli/built/service-container.test.ts',
  },
  {
    page: 'docs/conformance.md',
    starts: 'agent-auth conformance service http://127.0.0.1:8080 --provider-issuer',
    reason: 'needs a service that was given the key in advance',
    by: 'test/cli/stories/conformance.test.ts',
  },
  {
    page: 'docs/give-an-mcp-client-access.md',
    starts: '✓ Signed in at',
    kinds: ['text'],
    reason: 'is printed once that user has signed in',
    by: 'test/cli/stories/cross-app.test.ts',
  },
  {
    page: 'docs/judge-your-identity-provider.md',
    starts: 'agent-auth conformance provider https://id.example.com',
    reason: 'needs an identity provider of the reader, with clients and users',
    by: 'test/conformance/providers/oidc-provider.test.ts',
  },
  {
    page: 'docs/conformance.md',
    starts: 'agent-auth conformance provider https://id.example.test --mint-command',
    reason: 'needs a provider that mints by an API of its own',
    by: 'test/conformance/mint-command.test.ts',
  },
  ...[
    'agent-auth conformance agent -- COMMAND',
    'agent-auth conformance agent --section ema --',
  ].map((starts) => ({
    page: 'docs/conformance-agent.md',
    starts,
    reason: 'stands for a command of the reader',
    by: 'test/cli/built/conformance-agent.test.ts',
  })),
  {
    page: 'docs/conformance-agent.md',
    starts: 'agent-auth conformance agent -- agent-auth conformance perform',
    reason: 'judges by all scenarios, for a minute',
    by: 'test/conformance/faults/agent-checks.test.ts',
  },
  {
    page: 'docs/conformance-agent.md',
    starts:
      'agent-auth conformance agent -- node node_modules/agent-auth/docs/examples/agent-adapter/adapter.js',
    reason: 'judges by all scenarios, for a minute',
    by: 'test/conformance/agent/sample-adapter.test.ts',
  },
  {
    page: 'docs/conformance-agent.md',
    starts: 'agent-auth conformance agent --watch',
    reason: 'waits for an agent of the reader',
    by: 'test/conformance/agent/watch.test.ts',
  },
  {
    page: 'docs/mocks.md',
    starts: 'docker',
    reason: 'needs Docker; what the image holds and starts is started without it',
    by: 'test/cli/built/service-container.test.ts',
  },
];

/** Whether an entry of its page leaves out a block, and not one command of it alone. */
export function leavesOut({ starts, kinds }: NotRun, { kind, text }: Block): boolean {
  if (kinds !== undefined && !kinds.includes(kind)) return false;
  return starts === undefined || (kind !== 'sh' && kind !== 'console' && text.startsWith(starts));
}
