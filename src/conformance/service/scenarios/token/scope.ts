import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { NeedsOption, NotApplicable } from '../../../engine/judge.ts';
import { challenge, errorCode, is, isPresent, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { granted } from '../../steps/answers.ts';
import { fullAssertion, someAssertion } from '../../steps/new-registration.ts';
import { NO_WRITE, type WriteOutcome, Writes } from '../../steps/writes.ts';

const OTHER_SCOPE =
  'RFC 6749 §3.3 lets a service give another scope than the requested one, if it says so.';

export const scope = serviceScenario({
  id: 'token-scope',
  title: 'A token request can narrow the scope, but not widen it',
  checks: {
    asked: 'A request for a scope that a plain request gets is answered with 200.',
    narrowed: 'A token has no other scope than the requested one.',
    spaces: 'A space between two scopes is read from + and from %20, and a plus from %2B.',
    told: 'Where another scope than the requested one is given, the answer has `scope`.',
    beyond: 'A scope beyond that of the registration is not given.',
    unknown: 'A scope that does not exist is not given.',
    'beyond-code': 'A scope that is not given is answered invalid_scope.',
  },
  resting: {
    'token-scope.narrowed': ['spaces'],
    'token-scope.asked': ['spaces'],
    'token-scope.told': ['beyond-code'],
    'token-scope.beyond': ['beyond-code'],
    'token-scope.unknown': ['beyond-code'],
  },
  async run(judge, world) {
    const { client } = world;
    const wide = await fullAssertion(world);
    for (const word of wordsOf(await client.exchange(wide))) {
      const asked = await client.exchange(wide, { scope: word });
      if (!judge.table(asked, { asked: status(200) }, { case: word })) continue;
      const got = asked.string('scope') === undefined ? word : wordsOf(asked).join(' ');
      judge.expect('narrowed', got === word, asked, { case: word, reading: OTHER_SCOPE });
    }
    await judgeSpaces();
    const assertion = await someAssertion(world);
    const plain = await client.exchange(assertion);
    world.must(plain, 'access_token', 'an exchange');
    const own = wordsOf(plain);
    const supported = world.facts.metadata['scopes_supported'];
    const wider = (Array.isArray(supported) ? supported : []).filter(
      (each): each is string => typeof each === 'string' && own.length > 0 && !own.includes(each),
    );
    if (wider.length === 0) judge.skip('beyond', 'The service lists no scope beyond those given.');
    const first = own[0] ?? (Array.isArray(supported) ? String(supported[0]) : 'api.read');
    for (const [check, word] of [
      ...wider.map((each) => ['beyond', each] as const),
      ['unknown', world.invented.scope()] as const,
    ]) {
      for (const value of [word, `${first} ${word}`, `${word} ${first}`]) {
        const answer = await client.exchange(assertion, { scope: value });
        const isTold = answer.string('scope') !== undefined;
        const isBeyond = answer.ok && wordsOf(answer).includes(word);
        const reading = answer.ok && isTold && !isBeyond ? OTHER_SCOPE : undefined;
        judge.table(
          answer,
          {
            told: { ok: !answer.ok || isTold },
            [check]: { ok: !isBeyond },
            'beyond-code': errorCode('invalid_scope', { reading }),
          },
          { case: value },
        );
      }
    }

    /** RFC 6749 App. B: the form of a token request is one of HTML. */
    async function judgeSpaces(): Promise<void> {
      const [one, two] = wordsOf(await client.exchange(wide));
      if (one === undefined || two === undefined) {
        return judge.skip('spaces', 'No registration without a user has two scopes.');
      }
      for (const space of ['+', '%20', '%2B']) {
        const form = new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion: wide });
        const body = `${form}&scope=${encodeURIComponent(one)}${space}${encodeURIComponent(two)}`;
        const answer = await world.send(client.endpoint('tokenEndpoint'), {
          from: 'agent',
          headers: [['content-type', 'application/x-www-form-urlencoded']],
          body,
        });
        // RFC 6749 §5.1: no `scope` in the answer says that it is the requested one.
        const isAsked = answer.string('scope') === undefined && space !== '%2B';
        const given = isAsked ? [one, two] : wordsOf(answer);
        const isBoth = answer.ok && given.includes(one) && given.includes(two);
        // Who is asked for a scope that it does not know may give what it would have given unasked.
        const reading = space === '%2B' && answer.ok ? OTHER_SCOPE : undefined;
        judge.table(
          answer,
          { spaces: { ok: isBoth === (space !== '%2B') } },
          { case: space, reading },
        );
      }
    }
  },
});

function wordsOf(answer: Answer): readonly string[] {
  return (answer.string('scope') ?? '').split(' ').filter(Boolean);
}

export const insufficientScope = serviceScenario({
  id: 'insufficient-scope',
  title: 'A token grants what its scope covers, and no more',
  checks: {
    'write-refused': 'A pre-claim token is refused at POST /api/resource.',
    status: 'A call beyond the scope of a valid token is answered with 403.',
    code: 'The challenge says error="insufficient_scope".',
    'needed-scope': 'The challenge names the needed scope as `scope`.',
    'metadata-hint': 'The challenge has resource_metadata.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    world.needType('anonymous');
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const token = await world.accessToken(assertion);
    const isOfContract = facts.resource?.endsWith('/api/resource') === true;
    const { answer, outcome } = await tryToWrite(world, token);
    if (isOfContract) judge.table(answer, { 'write-refused': { ok: outcome === 'refused' } });
    else judge.skip('write-refused', 'What each scope is for is known of /api/resource alone.');
    if (outcome === 'taken') {
      throw new NotApplicable('No call is known that the pre-claim scope does not cover.');
    }
    judge.table(answer, {
      status: status(403),
      code: challenge('error', is('insufficient_scope')),
      'needed-scope': challenge('scope', isPresent),
      'metadata-hint': challenge('resource_metadata', isPresent),
    });
  },
});

/** The first write of which it shows whether it was refused for the token. @throws NeedsOption when none does. */
async function tryToWrite(
  world: ServiceWorld,
  token: string,
): Promise<{ readonly answer: Answer; readonly outcome: WriteOutcome }> {
  const writes = new Writes(world);
  for (const write of writes.all()) {
    const answer = await writes.send(write, token);
    const outcome = await writes.outcome(write, answer);
    if (outcome !== 'unknown') return { answer, outcome };
  }
  throw new NeedsOption(NO_WRITE, '--write-request');
}

export const resourceIndicators = serviceScenario({
  id: 'resource-indicators',
  title: 'A token is bound to the requested resource',
  checks: {
    own: 'A request for the `resource` of the metadata is answered with 200.',
    bad: 'A resource that is foreign, relative or has a fragment gives no token.',
    code: 'A resource that is foreign, relative or has a fragment is answered invalid_target.',
    bound: 'A token for a path is answered 401 above that path.',
    below: 'A token for a path is answered there and below as a token for everything is.',
  },
  resting: { 'resource-indicators.bad': ['code', 'bound'] },
  async run(judge, world) {
    const { client, facts } = world;
    const resource = client.protectedUrl();
    const assertion = await someAssertion(world);
    const named = facts.resourceMetadata['resource'];
    const own = typeof named === 'string' ? named : resource;
    const answer = await client.exchange(assertion, { resource: own });
    if (!judge.table(answer, { own: granted }, { case: own })) return;
    const part = world.invented.word();
    for (const bad of [
      `https://${world.elsewhere}/api`,
      `${resource}#${part}`,
      new URL(resource).pathname,
      world.invented.name(),
      `${new URL(resource).origin}.${world.elsewhere}/`,
    ]) {
      const answered = await client.exchange(assertion, { resource: bad });
      judge.expect('bad', !answered.ok, answered, { case: bad });
      judge.table(answered, { code: errorCode('invalid_target') }, { case: bad });
    }
    const below = `${resource.replace(/\/$/, '')}/${part}`;
    const narrow = await client.exchange(assertion, { resource: below });
    const token = narrow.string('access_token');
    if (token === undefined) {
      judge.skip(['bound', 'below'], 'The service gives no token for a URL below its resource.');
      return;
    }
    const above = await client.call(token);
    judge.table(above, { bound: status(401) }, { case: resource });
    const wide = await world.accessToken(assertion);
    const reference = await at(below, wide);
    for (const url of [below, `${below}/${world.invented.word()}`]) {
      const called = await at(url, token);
      const more = { case: url, expected: `${reference.status}, as with a token for everything` };
      judge.table(called, { below: status(reference.status) }, more);
    }
    function at(url: string, bearer: string) {
      return world.send(url, { from: 'agent', headers: [['authorization', `Bearer ${bearer}`]] });
    }
  },
});
