import { ID_JAG_TOKEN_TYPE } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';

export const listedTypes = serviceScenario({
  id: 'listed-types',
  title: 'The registration types that are listed are switched on',
  checks: {
    on: 'No listed type is answered as one that is switched off.',
  },
  async run(judge, world) {
    for (const type of world.facts.identityTypes) {
      const answer = await world.client.identity({ type, ...membersOf(type, world) });
      judge.expect('on', !/not_enabled$/.test(answer.errorCode ?? ''), answer, {
        expected: `${type} is on: identity_types_supported lists it`,
      });
    }
  },
});

function membersOf(type: string, world: ServiceWorld): Readonly<Record<string, string>> {
  if (type === 'service_auth') return { login_hint: world.freshEmail() };
  if (type !== 'identity_assertion') return {};
  return { assertion_type: ID_JAG_TOKEN_TYPE, assertion: world.invented.token() };
}
