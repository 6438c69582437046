import {
  type ControlOperation,
  queryParameter,
  REGISTRATION_ID,
  SAMPLE_TIME,
  sharedControlOperations,
} from '../../mock/index.ts';
import { instant } from '../../protocol/index.ts';

const NOW = instant(SAMPLE_TIME);

const LISTED = {
  service_id: 400,
  service_name: 'orders',
  service_url: 'https://service.example/v2/orders',
  methods: [{ method_id: 4001, method_url: '/list.{format}' }],
};
/** Each of its values can be null. */
const UNNAMED = {
  service_id: null,
  service_name: null,
  service_url: null,
  methods: [{ method_id: null, method_url: null }],
};
const EMPTY = { ...UNNAMED, methods: null };

const FRESH = {
  registration_id: 'reg_1',
  registration_type: 'anonymous',
  state: 'unclaimed',
  created_at: NOW,
  window_ends_at: NOW,
  claimed_at: null,
  revoked_at: null,
  collected_at: null,
  email: null,
  agent_name: null,
  issuer: null,
  subject: null,
  version: 1,
  pre_claim_scopes: ['api.read'],
  post_claim_scopes: ['api.read', 'api.write'],
  resource: null,
  wrong_codes: 0,
  claim_attempt: null,
};
const ATTEMPT = {
  claim_attempt_id: 'cla_1',
  expires_at: NOW,
  interval: 5,
  wrong_codes: 0,
  denied_at: null,
  last_poll_at: null,
};
/** With it, the other half of what each member can be. */
const CLAIMED = {
  ...FRESH,
  registration_type: 'identity_assertion',
  state: 'claimed',
  window_ends_at: null,
  claimed_at: NOW,
  revoked_at: NOW,
  collected_at: NOW,
  email: 'alice@example.com',
  agent_name: 'Example Agent',
  issuer: 'https://provider.example',
  subject: 'user-1',
  resource: 'https://service.example',
  claim_attempt: ATTEMPT,
};
const ASKED = { ...CLAIMED, claim_attempt: { ...ATTEMPT, denied_at: NOW, last_poll_at: NOW } };
const ONE = [FRESH, CLAIMED, ASKED];

/** The controls of a service. */
export function serviceControlOperations(): readonly ControlOperation[] {
  const noRegistration = 'There is no such registration.';
  const refusedByClaim = 'The claim machine refuses it.';
  const ofOne = (id: string, path: string, summary: string, description: string) =>
    ({ id, path, summary, description, parameters: [REGISTRATION_ID], answers: ONE }) as const;
  const byEmail = { of_the_record: {}, of_another_user: { email: 'alice@example.com' } };
  const noService = { not_found: 'There is no such service.' };
  return [
    ...sharedControlOperations('service'),
    {
      ...{ id: 'addTrust', method: 'POST', path: '/trust', summary: 'Trust one more provider' },
      description: 'Until the reset. What is left out has its default.',
      bodies: {
        by_issuer: { issuer: 'https://provider.example' },
        in_full: {
          issuer: 'https://provider.example',
          name: 'Example Provider',
          jwks_uri: 'https://provider.example/jwks.json',
          client_ids: ['https://provider.example/agent-auth.json'],
          mail_domains: ['example.com'],
        },
      },
      answers: [null, 'https://provider.example/jwks.json'].map((jwks_uri) => ({
        issuer: 'https://provider.example',
        name: 'Example Provider',
        jwks_uri,
        client_ids: ['https://provider.example/agent-auth.json'],
        mail_domains: jwks_uri === null ? null : ['example.com'],
        trust: ['https://provider.example'],
      })),
    },
    {
      ...{ id: 'getDirectory', method: 'GET', path: '/directory', summary: 'List the directory' },
      description: 'The services, as the listing shows them.',
      answers: [{ services: [LISTED, UNNAMED, EMPTY] }],
    },
    {
      ...{
        id: 'addService',
        method: 'POST',
        path: '/directory/add',
        summary: 'List one more service',
      },
      description: 'What is left out is null.',
      bodies: { named: { service_id: 400, service_name: 'orders' } },
      answers: [LISTED, UNNAMED, EMPTY],
      refuses: { conflict: 'There is such a service.' },
    },
    {
      ...{
        id: 'setService',
        method: 'POST',
        path: '/directory/set',
        summary: 'Change a listed service',
      },
      description: 'By its id or its name; methods are replaced as a whole.',
      bodies: { unnamed: { service: 400, service_name: null }, by_name: { service: 'orders' } },
      answers: [LISTED, UNNAMED, EMPTY],
      refuses: { ...noService, conflict: 'There is such a service.' },
    },
    {
      ...{
        id: 'removeService',
        method: 'POST',
        path: '/directory/remove',
        summary: 'List a service no more',
      },
      description: 'By its id or its name.',
      bodies: { by_name: { service: 'orders' }, by_id: { service: 400 } },
      answers: [LISTED, UNNAMED, EMPTY],
      refuses: noService,
    },
    {
      ...{
        id: 'listRegistrations',
        method: 'GET',
        path: '/registrations',
        summary: 'List what is registered',
      },
      description: 'Newest first, without secrets.',
      answers: [{ registrations: ONE }],
    },
    {
      ...ofOne(
        'getRegistration',
        '/registrations/{id}',
        'Look at a registration',
        'Without its secrets.',
      ),
      method: 'GET',
      refuses: { not_found: noRegistration },
    },
    {
      ...{ id: 'listMails', method: 'GET', path: '/mails', summary: 'Read the mails' },
      description: 'What the service sent, newest first, with codes and links; at most 100.',
      parameters: [queryParameter('to', 'Those of one user.', { type: 'string' })],
      answers: [
        {
          mails: [null, 'text'].map((text) => ({
            ...{ id: 'mail_1', sent_at: NOW, to: 'alice@example.com', subject: 'Your code' },
            ...{ user_code: text, link: text, text: 'Your code is …', registration_id: 'reg_1' },
          })),
        },
      ],
    },
    {
      ...ofOne(
        'completeRegistration',
        '/registrations/{id}/complete',
        'Complete a claim',
        'As its user does.',
      ),
      method: 'POST',
      bodies: byEmail,
      refuses: { not_found: noRegistration, conflict: refusedByClaim },
    },
    {
      ...ofOne('denyRegistration', '/registrations/{id}/deny', 'Deny a claim', 'As its user does.'),
      method: 'POST',
      bodies: byEmail,
      refuses: { not_found: noRegistration, conflict: refusedByClaim },
    },
    {
      ...ofOne(
        'revokeRegistration',
        '/registrations/{id}/revoke',
        'Revoke a registration',
        'As its user ends it.',
      ),
      method: 'POST',
      refuses: { not_found: noRegistration },
    },
  ];
}
