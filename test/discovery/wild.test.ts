import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FamilyId, recognise, type Verdict } from '../../src/discovery/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';

const folder = join(import.meta.dirname, '../../fixtures/wild');

const read = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as JsonObject;

/** Every published document: what it amounts to, in which families, and a piece of the reason. */
const DOCUMENTS: readonly (readonly [
  name: string,
  verdict: Verdict,
  families: readonly FamilyId[],
  reason: RegExp,
])[] = [
  ['agent-auth-aivized', 'published_only', [], /page for people \(\/sign-up\)/],
  ['agent-auth-canagentuse', 'published_only', [], /file to read \(auth\.md\)/],
  ['agent-auth-monoes', 'usable', ['first', 'flat'], /as versions before 0\.6 register it/],
  ['agent-auth-null-none', 'published_only', [], /register_uri is null/],
  ['agent-auth-skill-uri', 'client_registration', [], /ends as those of OAuth do/],
  ['as-agentcommunity', 'usable', ['flat', 'nested'], /a claim grant/],
  ['as-algebraic-intelligence', 'published_only', [], /x-no-registration is set/],
  ['as-anir0y', 'published_only', [], /e-mail address \(mailto:\)/],
  ['as-arananet-auth-md-example', 'usable', ['first'], /looks like first/],
  ['as-beehivestrategy', 'published_only', [], /page for people \(\/contact\)/],
  ['as-boldbi', 'published_only', [], /page where people make an account \(\/register\/\)/],
  ['as-dermascope', 'usable', ['flat', 'nested'], /a claim grant/],
  ['as-djzeneyer', 'usable', ['first', 'nested', 'flat'], /the name of version 0\.1/],
  ['as-gauntlet-group', 'published_only', [], /registration_not_required is set/],
  ['as-laisky-blog', 'published_only', [], /registration_required is false.*a fragment/],
  ['as-mahadev', 'published_only', [], /the identity types are public alone/],
  ['as-mnemom', 'usable', ['first'], /the name of version 0\.1/],
  ['as-noform-acme', 'usable', ['first'], /the name of version 0\.1/],
  ['as-quimeratech', 'published_only', [], /by hand.*a fragment/],
  ['as-rodcast', 'usable', ['flat', 'nested'], /a claim grant/],
  ['as-swmansion', 'published_only', [], /the skill file itself/],
  ['as-wetaego', 'published_only', [], /file to read \(auth\.md\)/],
  ['as-workos-reconciled', 'usable', ['nested', 'flat'], /nothing to poll/],
  ['as-workos-register-branch', 'usable', ['first', 'flat'], /before 0\.6/],
  ['as-workos-v06', 'usable', ['flat', 'nested'], /a claim grant/],
  ['as-xmr402', 'published_only', [], /where users sign in/],
  ['prm-agentcommunity', 'plain_oauth', [], /its authorization server is https:\/\/service/],
];

describe('published documents', () => {
  it.each(DOCUMENTS)('takes %s for %s', (name, verdict, families, reason) => {
    const document = read(name);
    const found = recognise(
      name.startsWith('prm-') ? { resource: document } : { server: document },
    );
    expect([found.verdict, found.families]).toEqual([verdict, families]);
    expect(found.reason).toMatch(reason);
  });

  it('leaves none out', () => {
    const published = readdirSync(folder)
      .map((file) => file.replace('.json', ''))
      .filter((name) => /^(as|agent-auth|prm)-/.test(name));
    expect(DOCUMENTS.map(([name]) => name).sort()).toEqual(published.sort());
  });
});
