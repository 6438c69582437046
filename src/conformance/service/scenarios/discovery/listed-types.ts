import { ID_JAG_TOKEN_TYPE } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';

export const listedTypes = serviceScenario({
  id: 'listed-types',
  title: 'The listed registration types are enabled',
  checks: {
    on: 'No type in identity_types_supported is answered with an error that ends in not_enabled.',
  },
  async run(judge, world) {
    for (const type of world.facts.identityTypes) {
      const answer = await world.client.identity({ type, ...membersOf(type, world) });
      judge.expect('on', !/not_enabled$/.test(answer.errorCode ?? ''), answer, { case: type });
    }
  },
});

function membersOf(type: string, world: ServiceWorld): Readonly<Record<string, string>> {
  if (type === 'service_auth') return { login_hint: world.userEmail() };
  if (type !== 'identity_assertion') return {};
  return { assertion_type: ID_JAG_TOKEN_TYPE, assertion: world.invented.token() };
}
