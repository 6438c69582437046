import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import Ajv from 'ajv';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/discovery/index.ts';
import type { RuleId } from '../../../src/discovery/rules/rule-table.ts';
import { testFolder } from '../../support/test-folder.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/wild');

type Rules = readonly RuleId[];

/** Each published document: what it amounts to, and the rules that it breaks as errors, warnings and notes. */
const DOCUMENTS: readonly (readonly [
  name: string,
  verdict: Verdict,
  errors: Rules,
  warnings: Rules,
  notes: Rules,
])[] = [
  [
    'agent-auth-aivized',
    'published_only',
    ['identity-types-not-strings', 'register-url-unusable'],
    [],
    [],
  ],
  [
    'agent-auth-canagentuse',
    'published_only',
    [
      'identity-types-older-name',
      'no-known-identity-type',
      'register-url-unusable',
      'skill-missing',
    ],
    ['unknown-name'],
    [],
  ],
  ['agent-auth-monoes', 'usable', [], ['skill-missing'], []],
  [
    'agent-auth-null-none',
    'published_only',
    ['no-known-identity-type', 'register-url-unusable', 'skill-missing'],
    ['says-no-registration', 'unknown-name'],
    [],
  ],
  [
    'agent-auth-skill-uri',
    'client_registration',
    ['register-url-is-client-registration'],
    ['unknown-name'],
    [],
  ],
  ['as-agentcommunity', 'usable', ['response-types-missing'], [], []],
  ['as-algebraic-intelligence', 'published_only', [], ['empty-list'], ['says-no-registration']],
  [
    'as-anir0y',
    'published_only',
    ['empty-list', 'not-a-url', 'register-url-unusable'],
    ['misplaced-member'],
    [],
  ],
  [
    'as-arananet-auth-md-example',
    'usable',
    ['response-types-missing'],
    ['register-url-older-name', 'token-endpoint-missing'],
    [],
  ],
  [
    'as-beehivestrategy',
    'published_only',
    ['one-url-for-all', 'register-url-unusable', 'response-types-missing'],
    [],
    [],
  ],
  ['as-boldbi', 'published_only', ['register-url-unusable'], ['unknown-name'], []],
  [
    'as-dermascope',
    'usable',
    ['response-types-missing'],
    ['events-url-is-revocation', 'unknown-name'],
    [],
  ],
  [
    'as-djzeneyer',
    'usable',
    ['response-types-missing'],
    [
      'assertion-types-missing',
      'claim-endpoint-missing',
      'events-url-is-revocation',
      'misplaced-member',
      'register-url-is-token-endpoint',
      'register-url-older-name',
      'unknown-name',
    ],
    [],
  ],
  [
    'as-gauntlet-group',
    'published_only',
    [],
    ['response-types-missing', 'skill-of-another-host'],
    ['says-no-registration'],
  ],
  ['as-laisky-blog', 'published_only', [], ['skill-missing'], ['says-no-registration']],
  [
    'as-mahadev',
    'published_only',
    [
      'identity-types-older-name',
      'no-known-identity-type',
      'response-types-missing',
      'skill-missing',
    ],
    ['says-no-registration', 'unknown-name'],
    [],
  ],
  [
    'as-mnemom',
    'usable',
    ['url-template'],
    [
      'claim-endpoint-missing',
      'foreign-endpoint',
      'grants-unfit',
      'own-members-demanded',
      'register-url-older-name',
      'unknown-name',
    ],
    [],
  ],
  [
    'as-noform-acme',
    'usable',
    [],
    [
      'identity-type-unknown',
      'register-url-older-name',
      'skill-not-a-url',
      'token-endpoint-missing',
      'unknown-name',
    ],
    [],
  ],
  [
    'as-quimeratech',
    'published_only',
    ['empty-list', 'identity-types-missing', 'not-a-url', 'register-url-unusable'],
    ['says-no-registration', 'unknown-name'],
    [],
  ],
  ['as-rodcast', 'usable', ['response-types-missing'], [], []],
  [
    'as-swmansion',
    'published_only',
    ['empty-list', 'insecure-url', 'one-url-for-all', 'register-url-unusable'],
    ['says-no-registration', 'unknown-name'],
    [],
  ],
  [
    'as-wetaego',
    'published_only',
    [
      'identity-types-older-name',
      'no-known-identity-type',
      'register-url-unusable',
      'skill-missing',
    ],
    ['unknown-name'],
    [],
  ],
  ['as-workos-reconciled', 'usable', ['issuer-final-slash', 'response-types-missing'], [], []],
  ['as-workos-register-branch', 'usable', ['response-types-missing'], ['unknown-name'], []],
  ['as-workos-v06', 'usable', ['response-types-missing'], [], []],
  [
    'as-xmr402',
    'published_only',
    ['one-url-for-all', 'register-url-unusable'],
    ['misplaced-member', 'unknown-name'],
    [],
  ],
  ['prm-agentcommunity', 'plain_oauth', [], [], []],
];

interface Finding {
  readonly rule: RuleId;
  readonly severity: string;
  readonly member: string | null;
  readonly line: number | null;
}

describe('published documents', () => {
  it.each(DOCUMENTS)('finds what is wrong in %s', async (name, verdict, ...expected) => {
    const run = await runCli(newMachine(), ['lint', join(FOLDER, `${name}.json`), '--json']);
    const [json = {}] = run.json();
    const findings = json['findings'] as readonly Finding[];
    const of = (severity: string) =>
      [
        ...new Set(
          findings.filter((finding) => finding.severity === severity).map(({ rule }) => rule),
        ),
      ].sort();
    expect([json['verdict'], of('error'), of('warning'), of('note')]).toEqual([
      verdict,
      ...expected,
    ]);
    expect(run.code).toBe(expected[0].length > 0 ? 1 : 0);
    expect(findings.filter(({ line }) => line === null)).toEqual([]);
  });

  it('leaves none out', () => {
    const published = readdirSync(FOLDER)
      .map((file) => file.replace('.json', ''))
      .filter((name) => /^(?:as|agent-auth|prm)-/.test(name));
    expect(DOCUMENTS.map(([name]) => name).sort()).toEqual(published.sort());
  });

  it('shows them so that a person finds the place', async () => {
    const file = relative(process.cwd(), join(FOLDER, 'agent-auth-null-none.json'));
    const { stdout } = await runCli(newMachine(), ['lint', file]);
    expect(stdout).toBe(`${file}  an agent_auth block alone
  ✗ line 3: agent_auth.register_uri is null.
      Instead: Name a URL that registers agents, or leave agent_auth out.
      register-url-unusable (specification, Discovery metadata)
  ✗ line 4, agent_auth.identity_types_supported: No identity type of this protocol is listed, so no agent can register.
      Instead: List anonymous, identity_assertion or service_auth.
      no-known-identity-type (specification, Discovery metadata)
  ✗ line 2, agent_auth.skill: It names no skill file.
      Instead: "skill": the URL of auth.md
      skill-missing (specification, Discovery metadata)
  ! line 4, agent_auth.identity_types_supported: It says that nobody registers here: the identity types are none alone.
      Instead: Leave agent_auth out where there is nothing to register.
      says-no-registration (the published documents)
  ! line 7, agent_auth.credential_types_supported: It says that nobody registers here: the credential type is none, so nothing is issued.
      Instead: Leave agent_auth out where there is nothing to register.
      says-no-registration (the published documents)
  ! line 7, agent_auth.credential_types_supported: Most agents do not look for credential_types_supported in agent_auth.
      Instead: anonymous.credential_types_supported
      unknown-name (the published families, v0.1 to v0.7)

✗ 3 errors, 3 warnings.
  Documents only. Nothing to register at: the identity types are none alone, and agent_auth.register_uri is null.
  Next: agent-auth lint ${file} --fix
`);
  });
});

const require = createRequire(import.meta.url);
const readJson = (name: string): object => JSON.parse(readFileSync(require.resolve(name), 'utf8'));

describe('a report in SARIF', () => {
  let folder: string;
  beforeEach(() => {
    folder = testFolder();
  });

  async function report(name: string) {
    const file = join(folder, 'lint.sarif');
    const target = relative(process.cwd(), join(FOLDER, `${name}.json`));
    const { code } = await runCli(newMachine(), ['lint', target, '--report', `sarif=${file}`]);
    const log = JSON.parse(readFileSync(file, 'utf8'));
    const [run] = log.runs;
    return { code, log, run, target };
  }

  it.each(DOCUMENTS)('is one by the schema of OASIS, for %s', async (name, _verdict, errors) => {
    const ajv = new Ajv({ schemaId: 'auto', allErrors: true });
    ajv.addMetaSchema(readJson('ajv/lib/refs/json-schema-draft-04.json'));
    const validate = ajv.compile(
      readJson('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
    );
    const { code, log } = await report(name);
    validate(log);
    expect([validate.errors, code]).toEqual([null, errors.length > 0 ? 1 : 0]);
  });

  it('has the file, the line and the rule of each finding, and the same fingerprints again', async () => {
    const { run, target } = await report('as-swmansion');
    const first = run.results.find(({ ruleId }: typeof run) => ruleId === 'one-url-for-all');
    expect(first).toMatchObject({
      ruleId: 'one-url-for-all',
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: target }, region: { startLine: 16 } },
          logicalLocations: [{ name: 'agent_auth.claim_uri' }],
        },
      ],
    });
    expect(run.tool.driver.rules[first.ruleIndex]).toMatchObject({ id: 'one-url-for-all' });
    const prints = (its: typeof run) =>
      its.results.map((result: typeof first) => result.partialFingerprints['agentAuthLint/v1']);
    expect(new Set(prints(run)).size).toBe(run.results.length);
    expect(prints((await report('as-swmansion')).run)).toEqual(prints(run));
  });

  it('named the source of server metadata for a rule that a resource broke', async () => {
    const [target, file] = [join(folder, 'resource.json'), join(folder, 'lint.sarif')] as const;
    const resource = 'https://a.example';
    const json = { resource, authorization_servers: [resource], bearer_methods_supported: [7] };
    writeFileSync(target, JSON.stringify(json));
    await runCli(newMachine(), ['lint', target, '--report', `sarif=${file}`]);
    const { rules } = JSON.parse(readFileSync(file, 'utf8')).runs[0].tool.driver;
    const broken = rules.find(({ id }: { readonly id: string }) => id === 'list-not-strings');
    expect(broken.help.text).toMatch(/Source: RFC 9728 §2\.$/);
    expect(broken.helpUri).toContain('rfc9728');
  });

  it('comes as JUnit XML and as Markdown too, in which hostile texts stay text', async () => {
    const [target, junit, markdown] = ['evil.json', 'lint.xml', 'lint.md'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const evil = '<b>&"|`</b>';
    writeFileSync(target, JSON.stringify({ issuer: evil, response_types_supported: [] }));
    const reports = ['--report', `junit=${junit}`, '--report', `markdown=${markdown}`];
    const { code } = await runCli(newMachine(), ['lint', target, ...reports]);
    expect(code).toBe(1);
    const xml = readFileSync(junit, 'utf8');
    for (const name of ['testsuites', 'testsuite'])
      expect(xml).toMatch(new RegExp(`<${name} [^>]*tests="2" failures="2"`));
    const text = readFileSync(markdown, 'utf8');
    expect(text.split('\n').filter((line) => line.startsWith('| ❌'))).toHaveLength(2);
    expect(text).not.toContain('<b>');
  });

  it.each([['html=x.html'], ['sarif'], ['sarif='], ['sarif=/no/such/folder/x.sarif']])(
    'is refused as %s before anything is looked at',
    async (value) => {
      const line = ['lint', join(FOLDER, 'as-workos-v06.json'), '--report', value];
      const { code, stdout } = await runCli(newMachine(), line);
      expect([code, stdout]).toEqual([2, '']);
    },
  );
});
