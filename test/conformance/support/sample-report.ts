import { buildReport } from '../../../src/conformance/engine/report.ts';
import type {
  CheckResult,
  Exchange,
  Report,
  ScenarioResult,
} from '../../../src/conformance/index.ts';

/**
 * What a judged peer may write: a clipboard escape, a bidi override, a zero-width joiner, a tag
 * character, a lone surrogate, a C1 control, and the syntax of each format that a report takes.
 */
export const HOSTILE =
  '\u001b]52;c;aGk=\u0007\u202e\u200d\u{e0041}\ud800\u009b2J<script>alert(1)</script> ``` `x` | & &lt; &#27; ]]> \u0000 --> # SKIP';

const SERVICE = 'https://service.example';

function check(
  id: string,
  status: CheckResult['status'],
  title: string,
  more: Partial<CheckResult> = {},
): CheckResult {
  return {
    id,
    title,
    level: 'must',
    section: 'standards',
    status,
    requirements: ['PRM-01'],
    sources: ['RFC 9728 §3.3'],
    findings: [],
    moreFindings: 0,
    ...more,
  };
}

const keys: ScenarioResult = {
  id: 'keys',
  title: 'Keys are published',
  duration: 2,
  checks: [
    check('keys.public', 'pass', 'The key set holds no private key.', {
      level: 'should',
      sources: ['RFC 7517 §9.2'],
    }),
  ],
  exchanges: [],
};

const unauthorized: Exchange = {
  number: 1,
  from: 'suite',
  to: 'service',
  at: 0,
  request: { method: 'GET', url: `${SERVICE}/api/resource`, headers: [['accept', '*/*']] },
  response: {
    status: 401,
    headers: [
      ['content-type', 'application/json'],
      ['www-authenticate', `Bearer resource_metadata="${HOSTILE}"`],
      ['x-powered-by', 'a framework'],
    ],
    body: '{"error":"unauthorized"}',
    duration: 3,
  },
};

const metadata: Exchange = {
  number: 2,
  from: 'suite',
  to: 'service',
  at: 4,
  request: {
    method: 'GET',
    url: `${SERVICE}/.well-known/oauth-protected-resource/api/resource`,
    headers: [['accept', 'application/json']],
  },
  response: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: '{"resource":"https://other.example/api/resource"}',
    duration: 2,
  },
};

const discovery: ScenarioResult = {
  id: 'discovery',
  title: 'An agent finds its way in from a 401',
  duration: 12,
  checks: [
    check('discovery.challenge', 'pass', 'A request without a token is answered 401.'),
    check('discovery.resource', 'fail', 'The metadata names the resource that was asked for.', {
      findings: [
        {
          expected: `resource is ${SERVICE}/api/resource`,
          seen: '200: {"resource":"https://other.example/api/resource"}',
          exchange: 2,
        },
        {
          expected: `a document where the challenge says: ${HOSTILE}`,
          seen: HOSTILE,
          exchange: 1,
        },
      ],
      moreFindings: 3,
    }),
    check('discovery.caching', 'warn', 'The metadata may be kept for a while.', {
      level: 'may',
      sources: ['wire contract §2.1'],
      findings: [
        { expected: 'Cache-Control: public', seen: 'no Cache-Control', exchange: 2 },
        { expected: 'an ETag', seen: 'none' },
      ],
    }),
  ],
  exchanges: [unauthorized, metadata],
};

const claim: ScenarioResult = {
  id: 'claim',
  title: 'Its user claims a registration',
  duration: 1234,
  checks: [
    check('claim.started', 'pass', 'The claim endpoint answers with a code and a link.', {
      sources: ['RFC 8628 §3.2'],
    }),
    check('claim.completed', 'untestable', 'After the user is done, a poll delivers a token.', {
      sources: ['RFC 8628 §3.5', 'wire contract §5.3'],
      reason: `The page after the sign-in has no field for the code: ${HOSTILE}`,
    }),
    check('claim.tokens', 'untestable', 'The token of after the claim has the post-claim scope.', {
      reason: `The page after the sign-in has no field for the code: ${HOSTILE}`,
    }),
    check('claim.expired', 'skip', 'After its time a code is refused.', {
      level: 'should',
      reason: 'Needs a wait of 10 minutes: pass --patience 10m.',
      needs: '--patience 10m',
    }),
  ],
  exchanges: [
    {
      number: 1,
      from: 'suite',
      to: 'service',
      at: 0,
      request: {
        method: 'POST',
        url: `${SERVICE}/agent/identity/claim`,
        headers: [['content-type', 'application/json']],
        body: '{"claim_token":"‹1f2e3d4c›","email":"alice@example.com"}',
      },
      response: {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: '{"user_code":"‹5a6b7c8d›","verification_uri":"https://service.example/claim"}',
        duration: 5,
      },
    },
    {
      number: 2,
      from: 'user',
      to: 'service',
      at: 8,
      request: { method: 'GET', url: `${SERVICE}/claim?${HOSTILE}`, headers: [] },
      response: { status: 302, headers: [['location', '/sign-in']], duration: 2 },
    },
    {
      number: 3,
      from: 'service',
      to: 'provider',
      at: 12,
      request: { method: 'GET', url: 'http://127.0.0.1:2/.well-known/jwks.json', headers: [] },
      problem: 'Nothing listens at 127.0.0.1:2.',
    },
    {
      number: 4,
      from: 'user',
      to: 'service',
      at: 20,
      request: { method: 'GET', url: `${SERVICE}/sign-in`, headers: [] },
      response: {
        status: 500,
        headers: [['content-type', 'text/html']],
        body: `<h1>Oh</h1>\n${HOSTILE}`,
        duration: 9,
      },
    },
  ],
};

const shape: ScenarioResult = {
  id: 'shape',
  title: 'Refusals have the shape of the wire contract',
  duration: 7,
  checks: [
    check('shape.description', 'warn', 'A refusal says in words what is wrong.', {
      level: 'may',
      sources: ['wire contract §3.5'],
      findings: [
        // As most findings: nothing more is expected than the check's own sentence.
        {
          expected: 'A refusal says in words what is wrong.',
          seen: '400: {"error":"invalid_request"}',
        },
      ],
    }),
  ],
  exchanges: [],
};

const events: ScenarioResult = {
  id: 'events',
  title: 'A provider takes its word back',
  duration: 0,
  checks: [
    check('events.taken', 'skip', 'A revocation event is answered 202.', {
      sources: ['RFC 8935 §2.2'],
      reason: 'The service trusts no provider that this suite could play.',
    }),
  ],
  exchanges: [],
};

const idJag: ScenarioResult = {
  id: 'id-jag',
  title: 'An ID-JAG is accepted only by the service that it was minted for',
  duration: 30,
  checks: [
    check('id-jag.audience', 'fail', 'An ID-JAG that was minted for another service is refused.', {
      section: 'attacks',
      attack: {
        gain: 'account',
        can: 'Uses what another service was given to act as its user here.',
      },
      sources: ['attack A-11', 'RFC 8725 §3.9'],
      findings: [
        {
          expected: 'An ID-JAG that was minted for another service is refused.',
          seen: 'aud "https://other.example": 200: {"identity_assertion":"‹7a7b7c7d›"}',
          exchange: 1,
        },
      ],
    }),
    check('id-jag.used', 'skip', 'What it gave opens nothing.', {
      restsOn: 'id-jag.audience',
      reason: 'It rests on id-jag.audience, which failed.',
    }),
    check('id-jag.denied', 'fail', 'A denied ID-JAG is answered access_denied.', {
      section: 'protocol',
      sources: ['specification, Errors'],
      findings: [{ expected: 'A denied ID-JAG is answered access_denied.', seen: '500' }],
      known: 'The next release mends it.',
    }),
    check('id-jag.rotated', 'skip', 'A key that was withdrawn verifies nothing.', {
      reason: 'It needs a provider of the suite: give --provider-port.',
      needs: '--provider-port',
    }),
  ],
  exchanges: [
    {
      number: 1,
      from: 'suite',
      to: 'service',
      at: 0,
      request: {
        method: 'POST',
        url: `${SERVICE}/agent/identity`,
        headers: [['content-type', 'application/json']],
        body: '{"type":"identity_assertion","assertion":"‹1a1b1c1d›"}',
      },
      response: {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: '{"identity_assertion":"‹7a7b7c7d›"}',
        duration: 6,
      },
      tokens: [
        {
          mark: '‹1a1b1c1d›',
          header: { alg: 'ES256', typ: 'oauth-id-jag+jwt' },
          claims: { aud: 'https://other.example', name: HOSTILE },
        },
      ],
    },
  ],
};

const scenarios = [keys, shape, discovery, claim, events];

/** A run in which everything happened once, judged of a peer that writes hostile texts. */
export const SAMPLE_REPORT: Report = reportOf(scenarios);

/** The same with an attack that succeeds, what rests on it, a known failure, and what an option would add. */
export const FULL_REPORT: Report = reportOf([...scenarios, idJag]);

/** The same without what is wrong. */
export const GREEN_REPORT: Report = reportOf([keys]);

/** The report of other results. */
export function reportOf(results: readonly ScenarioResult[]): Report {
  return buildReport({
    version: '0.0.0',
    role: 'service',
    target: `${SERVICE}/`,
    dialect: 'flat',
    startedAt: Date.parse('2026-01-02T03:04:05Z'),
    duration: 1250,
    seed: 7,
    scenarios: results,
    core: [],
  });
}
