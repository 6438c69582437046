import { errorCode, failing, refused } from '../../../engine/rows.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import type { Members } from '../../steps/labelled-body.ts';
import { someRegistration } from '../../steps/new-registration.ts';

const DEPTH = 20_000;

/** Members that are added to a right body; taken or refused, they must break nothing. */
const harmless = (name: string): readonly (readonly [what: string, member: string])[] => [
  ['nested arrays', `"${name}":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`],
  ['nested arrays that are never closed', `"${name}":${'['.repeat(DEPTH)}`],
  ['nested objects', `"${name}":${`{"${name}":`.repeat(DEPTH / 4)}1${'}'.repeat(DEPTH / 4)}`],
  ['a number that no double holds', `"${name}":1e999999`],
  ['a number of 10,000 digits', `"${name}":${'9'.repeat(10_000)}`],
  ['a member __proto__', `"__proto__":{"${name}":1}`],
  ['a member constructor', `"constructor":{"prototype":{"${name}":1}}`],
  ['5000 members', Array.from({ length: 5000 }, (_, at) => `"${name}${at}":0`).join(',')],
];

const PROTOTYPES = [
  '{"__proto__":{"type":"anonymous"}}',
  '{"constructor":{"prototype":{"type":"anonymous"}}}',
];

export const hostileJson = serviceScenario({
  id: 'hostile-json',
  title: 'Hostile JSON breaks nothing',
  checks: {
    survives: 'A body with deep, huge or odd members is answered in time, and not with 5xx.',
    prototypes: '`__proto__` and `constructor` in a body do not stand in for its members.',
    duplicates: 'A body with two members `type` is refused.',
    'unstorable-text': 'Text with U+0000 or an unpaired surrogate is answered invalid_request.',
  },
  resting: { 'stays-up.answers': ['survives'] },
  dangerous: true,
  async run(judge, world) {
    const { client, invented } = world;
    await mustTakeRegistrations(world);
    const url = client.endpoint('identityEndpoint');
    const right = () => JSON.stringify(someRegistration(world));
    const withMember = (member: string) => `${right().slice(0, -1)},${member}}`;
    const unknown = await client.postJson(
      url,
      withMember(`"${invented.member()}":{"${invented.word()}":[1]}`),
    );
    const isLenient = unknown.status === 200;
    for (const [what, member] of harmless(invented.member())) {
      try {
        const answer = await world.recorder.oddly(what, () =>
          client.postJson(url, withMember(member)),
        );
        const isUp = answer.status < 500 || (await client.postJson(url, right())).ok;
        judge.expect('survives', answer.status < 500, answer, {
          case: what,
          // It broke nothing, if the next right body is taken: then its status is the finding.
          ...(isUp && failing(answer)),
        });
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        judge.expect('survives', false, error.message, { case: what });
        if (error.kind !== 'timeout') throw error;
      }
    }
    const isTaken = (await client.postJson(url, '{}')).ok;
    for (const body of isTaken ? [] : PROTOTYPES) {
      const answer = await client.postJson(url, body);
      judge.expect('prototypes', !answer.ok, answer, { case: body });
    }
    judge.skip('prototypes', 'A body without any member registers too.');
    const other = `"type":"${invented.word()}"`;
    const twice = await client.postJson(url, withMember(other));
    const reversed = await client.postJson(url, `{${other},${right().slice(1)}`);
    for (const answer of [twice, reversed]) {
      judge.table(answer, { duplicates: refused });
    }
    // A service that refuses what it does not know never looks at the text.
    if (!isLenient) return judge.skip('unstorable-text', 'Unknown members are refused.');
    for (const text of ['\\u0000', 'a\\ud800b']) {
      const answer = await client.postJson(url, withMember(`"${invented.member()}":"${text}"`));
      judge.table(answer, { 'unstorable-text': errorCode('invalid_request') }, { case: text });
    }
  },
});

/** What is no JSON object, of members that are right. */
const bodiesOf = (members: Members): readonly (readonly [what: string, body: string])[] => {
  const right = JSON.stringify(members);
  return [
    ['an empty body', ''],
    ['text that is not JSON', new URLSearchParams(members).toString()],
    ['truncated JSON', right.slice(0, -1)],
    ['JSON with a trailing comma', `${right.slice(0, -1)},}`],
    ['two objects', `${right}${right}`],
    ['an array', `[${right}]`],
    ['a string', JSON.stringify(right)],
    ['a number', '1'],
    ['null', 'null'],
    ['an object without members', '{}'],
  ];
};

export const malformedJson = serviceScenario({
  id: 'malformed-json',
  title: 'A malformed JSON body is refused',
  checks: {
    refused: 'A malformed JSON body is answered with a 4xx status.',
  },
  dangerous: true,
  async run(judge, world) {
    const { client } = world;
    await mustTakeRegistrations(world);
    await judgeBodies(client.endpoint('identityEndpoint'), someRegistration(world));
    const claim = await someClaim(world);
    if (claim !== undefined) await judgeBodies(client.endpoint('claimEndpoint'), claim);

    async function judgeBodies(url: string, right: Members): Promise<void> {
      for (const [what, body] of bodiesOf(right)) {
        const answer = await world.recorder.oddly(what, () => client.postJson(url, body));
        judge.table(answer, { refused }, { case: `${what} at ${new URL(url).pathname}` });
      }
    }
  },
});

/** What opens a claim; undefined where that needs a user. */
async function someClaim(world: ServiceWorld): Promise<Members | undefined> {
  const { claimEndpoint, identityTypes } = world.facts;
  if (claimEndpoint === undefined || !identityTypes.includes('anonymous')) return undefined;
  const { claimToken } = await world.anonymous();
  const right = { claim_token: claimToken, email: world.userEmail() };
  await world.openClaim(right.claim_token, right.email);
  return right;
}
