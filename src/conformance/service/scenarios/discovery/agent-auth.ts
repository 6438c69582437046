import {
  ID_JAG_TOKEN_TYPE,
  IDENTITY_TYPES,
  REVOKED_EVENT_ENDING,
} from '../../../../protocol/index.ts';
import { shown } from '../../../engine/judge.ts';
import { isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isList } from '../../steps/members.ts';
import { membersOf, serverDocument } from '../../steps/metadata-documents.ts';
import { isSecureUrl } from '../../steps/urls.ts';

export const agentAuth = serviceScenario({
  id: 'agent-auth',
  title: 'The metadata says how agents register',
  safe: true,
  checks: {
    block: 'The metadata of the server has the block agent_auth.',
    skill: '`skill` is the address of the skill file.',
    'identity-endpoint': '`identity_endpoint` is the address for registrations.',
    'claim-endpoint': '`claim_endpoint` is the address for claims.',
    'events-endpoint': '`events_endpoint` is the address for events.',
    'safe-addresses': 'Every address in it is absolute, and https unless it is on loopback.',
    'own-origin': 'What agents post to lies on the origin of the issuer.',
    'identity-types': '`identity_types_supported` lists types of the specification, and no other.',
    'assertion-types': 'Where ID-JAGs are taken, `assertion_types_supported` has their type.',
    events: '`events_supported` has the type of the revocation event.',
  },
  async run(judge, world) {
    const found = await serverDocument(world);
    const at = { exchange: found.answer.exchange };
    const block = membersOf(found)['agent_auth'];
    const isBlock = judge.expect('block', isObject(block), shown(block), at);
    if (!isBlock || !isObject(block)) return;
    const { issuer } = world.facts;
    for (const [check, name] of ADDRESSES) {
      const address = block[name];
      const isThere = judge.expect(check, typeof address === 'string', shown(address), {
        expected: `an address as agent_auth.${name}`,
        ...at,
      });
      if (!isThere) continue;
      judge.expect('safe-addresses', isSecureUrl(address), shown(address), {
        expected: `an absolute https address (http on loopback alone) as ${name}`,
        ...at,
      });
      if (name === 'skill' || !URL.canParse(issuer)) continue;
      judge.expect('own-origin', originOf(address) === new URL(issuer).origin, shown(address), {
        expected: `${name} on ${new URL(issuer).origin}`,
        ...at,
      });
    }
    const types = block['identity_types_supported'];
    const known = (type: unknown) => (IDENTITY_TYPES as readonly unknown[]).includes(type);
    judge.expect('identity-types', isList(types, known), shown(types), {
      expected: `a list of ${IDENTITY_TYPES.join(', ')}`,
      ...at,
    });
    const takesIdJag = Array.isArray(types) && types.includes('identity_assertion');
    const own = block['identity_assertion'];
    const kinds = isObject(own) ? own['assertion_types_supported'] : undefined;
    judge.expect(
      'assertion-types',
      !takesIdJag || (isList(kinds) && kinds.includes(ID_JAG_TOKEN_TYPE)),
      shown(own),
      { expected: `${ID_JAG_TOKEN_TYPE} in identity_assertion.assertion_types_supported`, ...at },
    );
    const takesEvents = takesIdJag || block['events_endpoint'] !== undefined;
    const events = block['events_supported'];
    const revokes = (type: unknown) =>
      typeof type === 'string' && type.endsWith(REVOKED_EVENT_ENDING);
    judge.expect(
      'events',
      !takesEvents || (Array.isArray(events) && events.some(revokes)),
      shown(events),
      { expected: `a type that ends in ${REVOKED_EVENT_ENDING} in events_supported`, ...at },
    );
  },
});

const ADDRESSES = [
  ['skill', 'skill'],
  ['identity-endpoint', 'identity_endpoint'],
  ['claim-endpoint', 'claim_endpoint'],
  ['events-endpoint', 'events_endpoint'],
] as const;

function originOf(address: unknown): string | undefined {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : undefined;
}
