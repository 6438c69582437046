import { JWT_BEARER_GRANT, MEDIA_TYPE } from '../../../../protocol/index.ts';
import type { Judge } from '../../../engine/judge.ts';
import { header, matches, refused, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { noToken } from '../../steps/answers.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { type Label, labelled, type Members } from '../../steps/labelled-body.ts';
import { someAssertion, someRegistration } from '../../steps/new-registration.ts';
import { isRegistered } from '../../steps/present-id-jag.ts';

const { form, json } = MEDIA_TYPE;

/** What is no JSON that is labelled as such: what the body is, and its label. */
const NO_JSON: readonly Label[] = [
  { is: 'json', as: 'text/plain' },
  { is: 'json', as: form },
  { is: 'json', as: undefined },
  { is: 'form', as: form },
  { is: 'form', as: json },
];

const NO_FORM: readonly Label[] = [
  { is: 'json', as: json },
  { is: 'json', as: form },
  { is: 'form', as: json },
  { is: 'form', as: 'text/plain' },
];

const JSON_SPELLINGS = ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
const FORM_SPELLINGS = [
  'application/x-www-form-urlencoded; charset=utf-8',
  'Application/X-WWW-Form-Urlencoded',
];

const UNLABELLED = 'RFC 9110 §8.3 lets a recipient look into a body that has no media type.';

type Name = 'json-alone' | 'json-labels' | 'form-alone' | 'form-status' | 'spellings';

export const mediaTypes = serviceScenario({
  id: 'media-types',
  title: 'Bodies are read according to their media type',
  checks: {
    'json-alone': 'The identity and claim endpoints answer another media type than JSON with 415.',
    'json-labels':
      'A body that is not what its media type says registers nobody and opens no claim.',
    'form-alone':
      'The token and revocation endpoints refuse a body that is JSON, or is labelled as anything but a form.',
    spellings: 'A media type may have parameters and capital letters.',
  },
  resting: { 'media-types.json-labels': ['json-alone'] },
  async run(judge, world) {
    await mustTakeRegistrations(world);
    await judgeJson(judge, world);
    await judgeForm(judge, world);
  },
});

async function judgeJson(judge: Judge<Name>, world: ServiceWorld): Promise<void> {
  const { client, facts } = world;
  const identity = client.endpoint('identityEndpoint');
  await judgeLabels(identity, () => someRegistration(world), isRegistered);
  for (const type of JSON_SPELLINGS) {
    const body = JSON.stringify(someRegistration(world));
    judge.table(await post(world, identity, type, body), { spellings: isRead }, { case: type });
  }
  if (facts.claimEndpoint === undefined || !facts.identityTypes.includes('anonymous')) return;
  const email = world.userEmail();
  // A right one is taken, if not of the registration that the wrong ones are about.
  await world.openClaim((await world.anonymous()).claimToken, email);
  const { claimToken } = await world.anonymous();
  await judgeLabels(
    facts.claimEndpoint,
    () => ({ claim_token: claimToken, email }),
    (answer) => readClaimBlock(answer) !== undefined,
  );

  async function judgeLabels(
    url: string,
    members: () => Members,
    isTaken: (answer: Answer) => boolean,
  ): Promise<void> {
    for (const label of NO_JSON) {
      const { what, type, body } = labelled(members(), label);
      const answer = await post(world, url, type, body);
      const more = { case: `${what} at ${new URL(url).pathname}` };
      const reading = type === undefined ? UNLABELLED : undefined;
      const untaken = { ok: !isTaken(answer), reading };
      judge.table(
        answer,
        {
          // A form that says so may be taken as well: the specification names no media type here.
          'json-labels': label.is === 'form' && type === form ? undefined : untaken,
          'json-alone': type === json ? undefined : status(415),
        },
        more,
      );
    }
  }
}

async function judgeForm(judge: Judge<Name>, world: ServiceWorld): Promise<void> {
  const { client, facts } = world;
  const assertion = await someAssertion(world);
  await world.accessToken(assertion);
  const members = { grant_type: JWT_BEARER_GRANT, assertion };
  const endpoint = client.endpoint('tokenEndpoint');
  await judgeLabels(endpoint, members, noToken);
  for (const type of FORM_SPELLINGS) {
    const body = new URLSearchParams(members).toString();
    judge.table(await post(world, endpoint, type, body), { spellings: isRead }, { case: type });
  }
  if (facts.revocationEndpoint === undefined) return;
  const token = world.invented.token();
  // Where the right one is refused, the wrong ones show nothing.
  if (!(await client.revoke(token)).ok) return;
  await judgeLabels(facts.revocationEndpoint, { token }, refused);

  async function judgeLabels(url: string, sent: Members, isRefused: typeof noToken): Promise<void> {
    for (const label of NO_FORM) {
      const { what, type, body } = labelled(sent, label);
      const answer = await post(world, url, type, body);
      const more = { case: `${what} at ${new URL(url).pathname}` };
      const rows = {
        'form-alone': isRefused,
        'form-status': type === form ? undefined : status(415),
      };
      judge.table(answer, rows, more);
    }
  }
}

const isRead = (answer: Answer) => ({ ok: answer.status !== 415 && answer.status < 500 });

function post(
  world: ServiceWorld,
  url: string,
  type: string | undefined,
  body: string,
): Promise<Answer> {
  const headers = type === undefined ? [] : [['content-type', type] as const];
  return world.send(url, { method: 'POST', from: 'agent', headers, body });
}

const OTHERS = ['GET', 'PUT'];

export const methods = serviceScenario({
  id: 'methods',
  title: 'POST endpoints take no other method',
  safe: true,
  checks: {
    refused: 'GET and PUT at an endpoint are answered with a 4xx status or 501.',
    status: 'GET and PUT at an endpoint are answered with 405.',
    allow: 'A 405 has POST in Allow.',
  },
  async run(judge, world) {
    for (const url of endpointsOf(world)) {
      const posted = await world.send(url, { method: 'POST' });
      for (const method of OTHERS) {
        const answer = await world.send(url, { method });
        const more = { case: `${method} ${new URL(url).pathname}` };
        judge.table(answer, { status: status(405) }, more);
        // Where POST gets the same answer, the method is not what was refused.
        const isRefused = answer.refused || answer.status === 501;
        if (!isRefused || answer.status !== posted.status) {
          judge.expect('refused', isRefused, answer, more);
        }
        if (answer.status !== 405) continue;
        judge.table(answer, { allow: header('Allow', matches(/\bPOST\b/)) }, more);
      }
    }
    judge.skip('refused', 'POST is answered like GET and PUT: the method is not what was refused.');
    judge.skip('allow', 'No endpoint answers another method with 405.');
  },
});

/** Every one that the metadata names. */
export function endpointsOf({ facts }: ServiceWorld): readonly string[] {
  return [
    facts.identityEndpoint,
    facts.claimEndpoint,
    facts.tokenEndpoint,
    facts.revocationEndpoint,
    facts.eventsEndpoint,
  ].filter((url) => url !== undefined);
}
