import type { Invented } from '../../../engine/invented.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';

const TYPES = ['anonymous', 'service_auth', 'identity_assertion'] as const;

/** Bodies whose `type` is none of those three. */
const oddTypes = (invented: Invented): readonly (readonly [what: string, body: unknown])[] => [
  ['an unknown type', { type: invented.word() }],
  ['no type', { login_hint: invented.email() }],
  ['null as type', { type: null }],
  ['a number as type', { type: 1 }],
  ['a list as type', { type: ['anonymous'] }],
  ['an object as type', { type: { anonymous: true } }],
  ['the name of an inherited member as type', { type: 'constructor' }],
];

export const registrationTypes = serviceScenario({
  id: 'registration-types',
  title: 'A registration of a type that is unknown, missing or not offered',
  checks: {
    refused: 'Only the types that the service offers register anybody.',
    'refusal-status': 'Such a request is answered 400.',
    'refusal-code': 'The code is invalid_request, or that of the type that is switched off.',
    shape: 'The refusal has error and error_description.',
    'older-form': 'A verified_email assertion is taken as the login_hint that it is.',
    'other-assertion-type': 'Any other assertion_type is refused.',
  },
  async run(judge, world) {
    const { facts, invented } = world;
    const client = {
      identity: async (body: unknown) => notLimited(await world.client.identity(body)),
    };
    // A service that refuses everything would pass.
    if (facts.identityTypes.includes('service_auth')) await world.byEmail();
    else if (facts.identityTypes.includes('anonymous')) {
      world.must(
        await client.identity({ type: 'anonymous' }),
        'identity_assertion',
        'an anonymous registration',
      );
    }
    const off = TYPES.filter((type) => !facts.identityTypes.includes(type)).map(
      (type) =>
        [`${type}, which is not offered`, bodyOf(type, invented), `${type}_not_enabled`] as const,
    );
    const odd = oddTypes(invented).map(([what, body]) => [what, body, 'invalid_request'] as const);
    for (const [what, body, code] of [...odd, ...off]) {
      const answer = await client.identity(body);
      judge.expect('refused', answer.refused, answer, { expected: `a refusal of ${what}` });
      if (!answer.refused) continue;
      judge.expect('refusal-status', answer.status === 400, answer, {
        expected: `400 for ${what}`,
      });
      judge.expect('refusal-code', answer.errorCode === code, answer, {
        expected: `${code} for ${what}`,
      });
      judge.expect(
        'shape',
        answer.string('error') !== undefined && answer.string('error_description') !== undefined,
        answer,
      );
    }

    const strange = await client.identity({
      type: 'identity_assertion',
      assertion_type: invented.urn(),
      assertion: world.facts.identityTypes.includes('service_auth')
        ? world.freshEmail()
        : invented.word(),
    });
    judge.expect('other-assertion-type', strange.refused, strange);
    if (!facts.identityTypes.includes('service_auth')) {
      return judge.skip('older-form', 'The service does not offer service_auth.');
    }
    const older = await client.identity({
      type: 'identity_assertion',
      assertion_type: 'verified_email',
      assertion: world.freshEmail(),
    });
    judge.expect(
      'older-form',
      older.status === 200 && older.string('claim_token') !== undefined,
      older,
    );
  },
});

function bodyOf(type: (typeof TYPES)[number], invented: Invented): unknown {
  if (type === 'service_auth') return { type, login_hint: invented.email() };
  return type === 'anonymous' ? { type } : { type, assertion: 'e30.e30.e30' };
}
