import { serviceScenario } from '../../service-scenario.ts';
import { expectRefused, mustBeTaken, presentNew } from '../../steps/present-id-jag.ts';
import { jsonType } from './main-flow.ts';

const REQUIRED = ['iss', 'sub', 'aud', 'exp', 'jti'];
const REQUIRED_BY_THE_DRAFT = ['iat', 'client_id'];

/** RFC 7519 §4.1: text, or for aud a list of text. */
const WRONG_TYPES: readonly (readonly [claim: string, value: unknown])[] = [
  ['sub', 1],
  ['sub', true],
  ['sub', null],
  ['sub', ['user']],
  ['sub', { id: 'user' }],
  ['iss', 1],
  ['iss', null],
  ['iss', {}],
  ['aud', 1],
  ['aud', null],
  ['aud', {}],
  ['aud', [1]],
  ['jti', null],
  ['jti', {}],
  ['jti', ['id']],
  ['client_id', 1],
];

const WRONG_OPTIONAL_TYPES: readonly (readonly [claim: string, value: unknown])[] = [
  ['auth_time', 'now'],
  ['tenant', 1],
  ['scope', ['api.read']],
  ['resource', 1],
  ['amr', 'pwd'],
  ['acr', 1],
  ['email', 1],
  ['name', {}],
];

const unstorable = (word: string) => [`${word}\u0000`, `\ud800${word}`, `${word}\udc00`];

export const idJagClaims = serviceScenario({
  id: 'id-jag-claims',
  title: 'ID-JAGs without a claim, or with one of the wrong JSON type, are refused',
  checks: {
    required: 'An ID-JAG without iss, sub, aud, exp or jti is refused.',
    'required-by-draft': 'An ID-JAG without iat or client_id is refused.',
    types: 'An ID-JAG whose identifying claims are no text is refused.',
    'optional-types': 'An ID-JAG with an optional claim of the wrong JSON type is refused.',
    'storable-text': 'An ID-JAG with U+0000 or half a character in a claim is refused.',
    'client-id': 'An ID-JAG that names a client of somebody else is refused.',
    'optional-absent': 'An ID-JAG may leave out what is optional, and hold what nobody knows.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeTaken(world);
    const judgeWithout = async (name: 'required' | 'required-by-draft', claim: string) => {
      const { answer } = await presentNew(world, { claims: { [claim]: undefined } });
      expectRefused(judge, name, { what: `An ID-JAG without ${claim}` }, answer);
    };
    for (const claim of REQUIRED) await judgeWithout('required', claim);
    for (const claim of REQUIRED_BY_THE_DRAFT) await judgeWithout('required-by-draft', claim);
    for (const [claim, value] of WRONG_TYPES) {
      const { answer } = await presentNew(world, { claims: { [claim]: value } });
      const what = `An ID-JAG whose ${claim} is a JSON ${jsonType(value)}`;
      // Nothing is lost where a number or a list is compared as it is: only sub and aud decide.
      expectRefused(judge, 'types', { what, warn: /^(jti|client_id)$/.test(claim) }, answer);
    }
    for (const [claim, value] of WRONG_OPTIONAL_TYPES) {
      const { answer } = await presentNew(world, { claims: { [claim]: value } });
      const what = `An ID-JAG whose ${claim} is a JSON ${jsonType(value)}`;
      expectRefused(judge, 'optional-types', { what }, answer);
    }
    for (const text of unstorable(world.invented.word())) {
      const { answer } = await presentNew(world, { claims: { sub: text } });
      const what = `An ID-JAG whose sub is ${JSON.stringify(text)}`;
      expectRefused(judge, 'storable-text', { what }, answer);
    }
    for (const clientId of [`https://${world.elsewhere}/client`, world.providers.other.clientId]) {
      const { answer } = await presentNew(world, { claims: { client_id: clientId } });
      // without client authentication the drafts leave it to the service.
      const what = `An ID-JAG for the client ${clientId}`;
      expectRefused(judge, 'client-id', { what, warn: true }, answer);
    }
    const { answer } = await presentNew(world, {
      claims: {
        [world.invented.member()]: { [world.invented.word()]: [1, null] },
        amr: ['pwd'],
        acr: world.invented.urn(),
        name: world.invented.name(),
      },
    });
    expectTaken(answer);

    function expectTaken(seen: typeof answer): void {
      judge.expect('optional-absent', seen.ok || seen.string('claim_token') !== undefined, seen);
    }
  },
});
