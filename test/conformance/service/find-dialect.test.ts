import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../src/conformance/engine/model.ts';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { NoAnswer } from '../../../src/conformance/http/no-answer.ts';
import { findDialect } from '../../../src/conformance/service/dialect/find-dialect.ts';
import { resultIn } from '../../../src/conformance/service/dialect/in-dialect.ts';
import { readFacts } from '../../../src/conformance/service/service-facts.ts';

const wild = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/wild/${name}.json`, import.meta.url), 'utf8'));

const answered = (name: string) => async () =>
  new Answer(200, [], JSON.stringify(wild(name)), 1, 1);

const silent = async (): Promise<Answer> => {
  throw new NoAnswer('timeout', 'It did not answer.');
};

const never = async (): Promise<Answer> => {
  throw new Error('nothing was to be registered');
};

function dialectOf(
  document: string,
  register: (url: string, body: Readonly<Record<string, string>>) => Promise<Answer>,
  safe = false,
) {
  const facts = readFacts(undefined, undefined, wild(document));
  return findDialect(facts, { register, safe, email: 'dev@example.com' });
}

describe('what a service speaks', () => {
  it.each([
    ['its claim grant', 'as-workos-v06', 'flat'],
    ['an older name for where agents register', 'as-arananet-auth-md-example', 'first'],
  ])('is told by %s, without a registration', async (_what, document, family) => {
    expect(await dialectOf(document, never)).toMatchObject({ family });
  });

  it.each([
    ['resp-authkit-docs-register-anonymous', 'nested'],
    ['resp-workos-v06-interaction-required', 'flat'],
    ['resp-workos-v01-register-anonymous', 'first'],
    ['err-workos-v06-registration', 'flat'],
  ])('is told by the answer %s, where the documents fit two', async (answer, family) => {
    expect(await dialectOf('as-workos-reconciled', answered(answer))).toMatchObject({ family });
  });

  it('is the specification, where nothing tells', async () => {
    expect(await dialectOf('as-workos-reconciled', silent)).toMatchObject({ family: 'flat' });
  });

  it('is left open where the documents fit two and nothing may be registered', async () => {
    const found = await dialectOf('as-workos-reconciled', never, true);
    expect(found).toMatchObject({ family: 'flat', perhaps: 'nested' });
    expect(await dialectOf('as-workos-v06', never, true)).not.toHaveProperty('perhaps');

    const failed = (id: string): CheckResult => ({
      id,
      title: id,
      level: 'must',
      section: 'protocol',
      requirements: [],
      sources: [],
      status: 'fail',
      findings: [],
      moreFindings: 0,
    });
    const checks = [failed('server-metadata.claim-grant'), failed('server-metadata.json')];
    const result = {
      id: 'server-metadata',
      title: 'its metadata',
      duration: 0,
      exchanges: [],
      checks,
    };
    const judged = resultIn(found, result);
    expect(judged.checks.map(({ status }) => status)).toEqual(['skip', 'fail']);
    expect(judged.checks[0]?.reason).toContain('--safe');
  });
});
