import type { CheckResult, Report, ScenarioResult } from '../../../src/conformance/index.ts';
import { summarize } from '../../../src/conformance/summary.ts';

const HOSTILE = '\u001b]52;c;aGk=\u0007\u202e<script>alert(1)</script> `x` | & \u0000 --> # SKIP';

function check(
  id: string,
  status: CheckResult['status'],
  more: Partial<CheckResult> = {},
): CheckResult {
  return {
    id,
    title: `What ${id} asks for holds.`,
    level: 'must',
    status,
    requirements: ['PRM-01'],
    sources: ['RFC 9728 §3.3'],
    findings: [],
    moreFindings: 0,
    ...more,
  };
}

const discovery: ScenarioResult = {
  id: 'discovery',
  title: 'An agent finds its way in',
  duration: 12,
  checks: [
    check('discovery.challenge', 'pass'),
    check('discovery.resource', 'fail', {
      findings: [
        {
          expected: 'resource is the requested address',
          seen: '200: {"resource":"x"}',
          exchange: 2,
        },
        { expected: 'its text is text', seen: HOSTILE, exchange: 1 },
      ],
      moreFindings: 3,
    }),
    check('discovery.caching', 'warn', {
      level: 'profile',
      sources: ['wire.md §2'],
      findings: [{ expected: 'Cache-Control: public', seen: 'no Cache-Control' }],
    }),
  ],
  exchanges: [
    {
      number: 1,
      from: 'agent',
      to: 'service',
      at: 0,
      request: { method: 'GET', url: 'http://127.0.0.1:1/api/resource', headers: [] },
      response: { status: 401, headers: [['www-authenticate', HOSTILE]], duration: 3 },
    },
    {
      number: 2,
      from: 'suite',
      to: 'service',
      at: 4,
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:1/agent/identity',
        headers: [['content-type', 'application/json']],
        body: '{"type":"anonymous"}',
      },
      response: { status: 200, headers: [], body: HOSTILE, duration: 2 },
    },
    {
      number: 3,
      from: 'service',
      to: 'provider',
      at: 9,
      request: { method: 'GET', url: 'http://127.0.0.1:2/.well-known/jwks.json', headers: [] },
      problem: 'Nothing listens at 127.0.0.1:2.',
    },
  ],
};

const claim: ScenarioResult = {
  id: 'claim',
  title: 'Its user claims it',
  duration: 1234,
  checks: [
    check('claim.started', 'untestable', { reason: 'The story did not get that far.' }),
    check('claim.later', 'skip', { level: 'should', reason: 'It takes 600s of waiting.' }),
  ],
  exchanges: [],
};

const quiet: ScenarioResult = {
  id: 'keys',
  title: 'Keys are published',
  duration: 2,
  checks: [check('keys.public', 'pass', { level: 'should' })],
  exchanges: [],
};

const scenarios = [discovery, claim, quiet];

/** A run in which everything happened once, judged of a peer that writes hostile texts. */
export const SAMPLE_REPORT: Report = {
  schema: 'agent-auth.conformance/1',
  version: '0.0.0',
  role: 'service',
  target: 'http://127.0.0.1:1/',
  startedAt: '2026-01-02T03:04:05.000Z',
  duration: 1250,
  summary: summarize(scenarios),
  scenarios,
};

/** The same without what is red. */
export const GREEN_REPORT: Report = {
  ...SAMPLE_REPORT,
  scenarios: [quiet],
  summary: summarize([quiet]),
};
