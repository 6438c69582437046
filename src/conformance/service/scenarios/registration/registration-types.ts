import type { Invented } from '../../../engine/invented.ts';
import { refused, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';

const TYPES = ['anonymous', 'service_auth', 'identity_assertion'] as const;

type BadType = readonly [what: string, body: unknown, code: string];

/** Bodies whose `type` is none of those three. */
const malformedTypes = (invented: Invented): readonly BadType[] =>
  (
    [
      ['an unknown type', { type: invented.word() }],
      ['no type', { login_hint: invented.email() }],
      ['null as type', { type: null }],
      ['a number as type', { type: 1 }],
      ['a list as type', { type: ['anonymous'] }],
      ['an object as type', { type: { anonymous: true } }],
      ['the name of an inherited member as type', { type: 'constructor' }],
    ] as const
  ).map(([what, body]) => [what, body, 'invalid_request']);

function typesNotOffered(offered: readonly string[], invented: Invented): readonly BadType[] {
  return TYPES.filter((type) => !offered.includes(type)).map((type) => [
    `${type}, which is not offered`,
    bodyOf(type, invented),
    `${type}_not_enabled`,
  ]);
}

function bodyOf(type: (typeof TYPES)[number], invented: Invented): unknown {
  if (type === 'service_auth') return { type, login_hint: invented.email() };
  return type === 'anonymous' ? { type } : { type, assertion: 'e30.e30.e30' };
}

export const registrationTypes = serviceScenario({
  id: 'registration-types',
  title: 'A registration of a type that is unknown, missing or not offered',
  checks: {
    refused: 'Only the types that the service offers register anybody.',
    'refusal-status': 'A type that is unknown, missing or not offered is answered 400.',
  },
  dangerous: true,
  async run(judge, world) {
    const { identityTypes } = world.facts;
    const { invented } = world;
    const register = async (body: unknown) => notLimited(await world.client.identity(body));
    await mustTakeRegistrations(world);
    const wrong = [...malformedTypes(invented), ...typesNotOffered(identityTypes, invented)];
    for (const [what, body] of wrong) {
      const answer = await register(body);
      if (!judge.table(answer, { refused }, { case: what })) continue;
      judge.table(answer, { 'refusal-status': status(400) }, { case: what });
    }
  },
});
