import {
  ID_JAG_TOKEN_TYPE,
  IDENTITY_TYPES,
  REVOKED_EVENT_ENDING,
} from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { has, is, isText, mediaType, member, when } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-world.ts';
import { isList, serverDocument } from '../../steps/metadata-documents.ts';
import { isSecureUrl } from '../../steps/urls.ts';

const ENDPOINTS = ['identity_endpoint', 'claim_endpoint', 'events_endpoint'];

export const agentAuth = serviceScenario({
  id: 'agent-auth',
  title: 'The metadata describes how agents register',
  safe: true,
  checks: {
    block: 'The authorization-server metadata has an `agent_auth` object.',
    skill: '`agent_auth.skill` is the URL of the skill file.',
    'identity-endpoint': '`agent_auth.identity_endpoint` is the URL for registrations.',
    'claim-endpoint': '`agent_auth.claim_endpoint` is the URL for claims.',
    'events-endpoint':
      'Where ID-JAGs are taken, `agent_auth.events_endpoint` is the URL for their events.',
    'safe-addresses': 'Every URL in `agent_auth` is an https URL, or http on loopback.',
    'identity-types': `\`identity_types_supported\` lists types of registration: of ${IDENTITY_TYPES.join(', ')}.`,
    'assertion-types': 'Where ID-JAGs are taken, `assertion_types_supported` has their token type.',
    events: `Where events are taken, \`events_supported\` has a type that ends in ${REVOKED_EVENT_ENDING}.`,
  },
  async run(judge, world) {
    const { answer } = await serverDocument(world);
    judge.table(answer, { block: member('agent_auth', isObject) });
    const block = answer.member('agent_auth');
    if (!isObject(block)) return;
    const isUrl = (name: string) => isText(block[name]);
    const takesIdJag = has('identity_assertion')(block['identity_types_supported']);
    const takesEvents = takesIdJag || block['events_endpoint'] !== undefined;
    judge.table(
      block,
      {
        skill: member('skill', isText),
        'identity-endpoint': member('identity_endpoint', isText),
        'claim-endpoint': member('claim_endpoint', isText),
        'events-endpoint': member('events_endpoint', when(takesEvents, isText)),
        'safe-addresses': ['skill', ...ENDPOINTS].filter(isUrl).map((x) => member(x, isSecureUrl)),
        'identity-types': member('identity_types_supported', areIdentityTypes),
        'assertion-types': member('identity_assertion', when(takesIdJag, takesIdJagType)),
        events: member('events_supported', when(takesEvents, hasRevocation)),
      },
      answer,
    );
  },
});

const areIdentityTypes = (types: unknown) => isList(types, is(...IDENTITY_TYPES));

const takesIdJagType = (block: unknown) =>
  isObject(block) &&
  isList(block['assertion_types_supported']) &&
  has(ID_JAG_TOKEN_TYPE)(block['assertion_types_supported']);

const hasRevocation = (types: unknown) =>
  Array.isArray(types) && types.some((type) => isText(type) && type.endsWith(REVOKED_EVENT_ENDING));

export const skillFile = serviceScenario({
  id: 'skill-file',
  title: 'The skill file describes the procedure for agents',
  safe: true,
  checks: {
    served: 'The skill file is answered with 200, and is not HTML.',
    markdown: 'The skill file is sent as text/markdown.',
  },
  async run(judge, world) {
    const { skill } = world.facts;
    if (skill === undefined) throw new NotApplicable('The service names no skill file.');
    const answer = await world.send(skill);
    const { text } = answer;
    const isMarkdown =
      answer.status === 200 && text.trim() !== '' && !/^\s*<(!doctype|html)/i.test(text);
    if (!judge.expect('served', isMarkdown, answer)) return;
    judge.table(answer, {
      markdown: mediaType('text/markdown'),
    });
  },
});
