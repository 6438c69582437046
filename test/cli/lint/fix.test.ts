import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LintDocument } from '../../../src/cli/lint/finding.ts';
import { fixDocuments } from '../../../src/cli/lint/fix.ts';
import { judge } from '../../../src/cli/lint/judge.ts';
import { readExamples } from '../../../src/cli/lint/present-rules.ts';
import { kindOf } from '../../../src/discovery/document.ts';
import { recognise } from '../../../src/discovery/index.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/wild');

const documentOf = (json: JsonObject): LintDocument => ({
  kind: kindOf(json) ?? 'server',
  name: 'example',
  file: undefined,
  url: undefined,
  text: JSON.stringify(json),
  json,
});

function fixed(json: JsonObject): { json: JsonObject; changes: readonly string[] } {
  const documents = [documentOf(json)];
  const [only] = fixDocuments(documents, judge(documents, []).isHonest);
  if (only === undefined) throw new Error('nothing came back');
  return only;
}

const errorsOf = (json: JsonObject) =>
  judge([documentOf(json)], [])
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule);

const urlsIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"((?:https?|mailto):[^"]*)"/g)].map(([, url = '']) => url);

const WILD = readdirSync(FOLDER)
  .filter((file) => /^(?:as|agent-auth|prm)-/.test(file))
  .map(
    (file) => [file, JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as JsonObject] as const,
  );

const EXAMPLES = Object.entries(readExamples()).flatMap(([id, { before }]) =>
  typeof before === 'string' ? [] : [[id, before] as const],
);

describe('what is fixed', () => {
  it.each([...WILD, ...EXAMPLES])(
    'names no URL that %s does not have, and is not fixed again',
    (_name, json) => {
      const before = structuredClone(json);
      const { json: after } = fixed(json);
      expect(json).toEqual(before);
      expect(urlsIn(after).filter((url) => !urlsIn(json).includes(url))).toEqual([]);
      expect(fixed(after)).toEqual({ document: 'example', json: after, changes: [] });
    },
  );

  it.each(WILD)('has no more errors than %s', (_name, json) => {
    const [before, after] = [errorsOf(json), errorsOf(fixed(json).json)];
    expect(after.filter((rule) => !before.includes(rule))).toEqual([]);
    expect(after.length).toBeLessThanOrEqual(before.length);
  });

  it.each(WILD)(
    'means the same to agents as %s, and says so where nobody registers',
    (_name, json) => {
      const [before, after] = [
        recognise({ server: json }),
        recognise({ server: fixed(json).json }),
      ];
      if (before.verdict === 'usable') {
        expect([after.verdict, after.families[0], after.endpoints.register]).toEqual([
          'usable',
          before.families[0],
          before.endpoints.register,
        ]);
      } else {
        expect(after.verdict).not.toBe('usable');
      }
    },
  );

  it('leaves hardly an error in what is published', () => {
    const left = WILD.flatMap(([file, json]) =>
      errorsOf(fixed(json).json).map((rule) => [file, rule]),
    );
    expect([...new Set(left.map(([, rule]) => rule))]).toEqual(['insecure-url']);
  });

  it('has the older names beside the newer ones, for scanners', () => {
    const wild = Object.fromEntries(WILD);
    const { json } = fixed(wild['as-workos-v06.json'] ?? {});
    expect(Object.entries(json['agent_auth'] as JsonObject).slice(0, 5)).toEqual([
      ['skill', 'http://localhost:8000/auth.md'],
      ['identity_endpoint', 'http://localhost:8000/agent/identity'],
      ['register_uri', 'http://localhost:8000/agent/identity'],
      ['claim_endpoint', 'http://localhost:8000/agent/identity/claim'],
      ['claim_uri', 'http://localhost:8000/agent/identity/claim'],
    ]);
    expect(json['response_types_supported']).toEqual([]);
  });

  it('keeps a document of the first versions one of them', () => {
    const wild = Object.fromEntries(WILD);
    const { json } = fixed(wild['as-arananet-auth-md-example.json'] ?? {});
    expect(json['agent_auth']).not.toHaveProperty('identity_endpoint');
  });
});

describe('--fix', () => {
  const file = (name: string) => join(FOLDER, name);

  it('prints the document alone to stdout, and what was changed to stderr', async () => {
    const run = await runCli(newMachine(), ['lint', file('agent-auth-canagentuse.json'), '--fix']);
    expect(JSON.parse(run.stdout)).toEqual({
      agent_auth: {
        register_uri: 'https://service.example.com/auth.md',
        identity_types_supported: ['human_delegated', 'service_agent'],
        credential_types_supported: ['oauth2_authorization_code_pkce', 'api_key_bearer'],
        claim_endpoint: 'https://service.example.com/.well-known/oauth-protected-resource',
        revocation_url: 'https://service.example.com/oauth/revoke',
        'x-no-registration': true,
      },
    });
    expect(run.stderr).toContain('claims_url is named claim_endpoint');
    expect(run.code).toBe(1);
  });

  it('says what to write instead where it leaves something to do by hand', async () => {
    const { stderr } = await runCli(newMachine(), ['lint', file('as-swmansion.json'), '--fix']);
    const [, left = ''] = stderr.split('Left to do by hand');
    expect(left).toMatch(/^ {2}✗ .+\n {6}Instead: .+\n {6}insecure-url \(/m);
  });

  it('has a JSON form, with what is left to do by hand', async () => {
    const line = ['lint', file('as-swmansion.json'), '--fix', '--json'];
    const [json] = (await runCli(newMachine(), line)).json();
    expect(json).toMatchObject({
      schema: 'agent-auth.lint-mended/1',
      documents: [{ name: file('as-swmansion.json'), changes: expect.any(Array) }],
    });
    const left = json?.['left'] as readonly { readonly rule: string }[];
    expect(left.length).toBeGreaterThan(0);
    expect(left.every(({ rule }) => ['empty-list', 'insecure-url'].includes(rule))).toBe(true);
  });
});
