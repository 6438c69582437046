import fc from 'fast-check';
import { it } from 'vitest';
import { lineOf } from '../../../src/cli/lint/find-line.ts';
import type { LintDocument } from '../../../src/cli/lint/finding.ts';
import { fixDocuments } from '../../../src/cli/lint/fix.ts';
import { judge } from '../../../src/cli/lint/judge.ts';
import { renderLintSarif } from '../../../src/cli/lint/sarif.ts';
import { kindOf } from '../../../src/discovery/document.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';

const NAMES = [
  'issuer',
  'resource',
  'authorization_servers',
  'token_endpoint',
  'registration_endpoint',
  'grant_types_supported',
  'identity_types_supported',
  'supported_identity_types',
  'identity_endpoint',
  'register_uri',
  'register_url',
  'claim_endpoint',
  'claim_uri',
  'claims_url',
  'revocation_uri',
  'revocation_url',
  'credential_types',
  'skill',
  'skill_uri',
  'anonymous',
  'identity_assertion',
  'registration_methods',
  'x-no-registration',
  '__proto__',
  'constructor',
];

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    1,
    '',
    'https://a.example/x',
    'mailto:a@b',
    '/x',
    'anonymous',
  ),
  fc.constantFrom<unknown>(
    'https://[',
    'http://a.example/{id}',
    'urn:x:grant-type:claim',
    '\u001b[2J',
  ),
  fc.array(fc.constantFrom<unknown>('anonymous', 'https://a.example', null, {}, { anonymous: {} })),
);
const object = (value: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 10 })
    .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as JsonObject);
const block = object(fc.oneof(leaf, object(leaf)));
const documents = fc
  .tuple(object(fc.oneof(leaf, object(leaf))), fc.option(block), fc.boolean())
  .map(([json, agent_auth, isServed]): LintDocument => {
    const whole = agent_auth === null ? json : { ...json, agent_auth };
    return {
      kind: kindOf(whole) ?? 'server',
      name: 'any',
      file: 'any',
      url: isServed ? 'https://a.example/.well-known/oauth-authorization-server' : undefined,
      text: JSON.stringify(whole, null, 1),
      json: whole,
    };
  });

it('judges, fixes and reports any document, and finds a line for each finding', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const { findings, isHonest } = judge([document], []);
      if (findings.some((finding) => lineOf(finding, [document]) === undefined)) return false;
      renderLintSarif({ documents: [document], findings });
      const [fixed] = fixDocuments([document], isHonest);
      const again = fixed && judge([{ ...document, json: fixed.json }], []);
      const texts = JSON.stringify(fixed?.json ?? {});
      const urls = [...texts.matchAll(/https?:[^"]*/g)].map(([url]) => url);
      return again !== undefined && urls.every((url) => document.text.includes(url));
    }),
    { numRuns: 400 },
  );
});
