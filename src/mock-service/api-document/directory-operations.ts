import {
  type Operation,
  pathParameter,
  queryParameter,
  refusal,
  SAMPLE_TIME,
  type SampleAnswer,
  transportProblem,
  wireProblem,
} from '../../mock/index.ts';
import { buildChallenge } from '../../protocol/index.ts';
import { catalogScope } from '../config/scopes.ts';
import { CATALOG_ROOT, directoryEnvelope, directoryReply } from '../directory/index.ts';
import { insertedMetadata, REST } from './discovery-operations.ts';
import type { DescribedService } from './samples.ts';

const LISTED = {
  service_id: 1,
  service_name: 'buildings',
  service_url: 'https://service.example/v2/buildings',
  methods: [{ method_id: 2, method_url: '/list.{format}' }],
};

/** Of several methods: each lists something else. */
const LISTINGS = [
  { version: 2.07, release_date: '2013-11-28' },
  { date: '2013-11-28', changes: ['…'] },
  { code: 200, message: 'Request successful' },
];

const CALLBACK = queryParameter(
  'callback',
  'The name of a function that the answer is passed to as a script (JSONP).',
  { type: 'string', maxLength: 64, pattern: '^[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*$' },
);

/** The directory of services: open listings, and a catalog whose methods take a token. */
export function directoryOperations(service: DescribedService): readonly Operation[] {
  const { config } = service;
  const envelope = directoryEnvelope({ now: () => SAMPLE_TIME });
  const listing = (format: 'json' | 'xml'): Operation => {
    const path = `/api/services.${format}`;
    const request = new Request(config.issuer + path);
    const answer = { format, status: 200, methodId: 1081, now: SAMPLE_TIME, requests: 1 } as const;
    return {
      id: format === 'json' ? 'listServices' : 'listServicesAsXml',
      method: 'GET',
      path,
      tag: 'directory',
      summary: `List the services as ${format.toUpperCase()}`,
      description: 'Every service of the directory with its methods. Every value can be null.',
      ...(format === 'json' && { parameters: [CALLBACK] }),
      answers: [
        {
          name: 'services',
          description: 'The services.',
          shown: true,
          response: directoryReply({ ...answer, data: [LISTED] }),
        },
        {
          name: 'none',
          description: 'There are none.',
          response: directoryReply({ ...answer, status: 204, data: [] }),
        },
        ...(format === 'json' ? [script(), badCallback(envelope, request)] : []),
        refusal('unavailable', transportProblem('unavailable'), envelope, request),
      ],
    };
  };
  const path = `${CATALOG_ROOT}/{path}`;
  const request = new Request(`${config.issuer}${CATALOG_ROOT}/buildings/list.json`);
  const scope = catalogScope(config.scopes);
  return [
    listing('json'),
    listing('xml'),
    {
      id: 'callMethod',
      method: 'GET',
      path,
      tag: 'directory',
      summary: 'Call a method of the directory',
      description: `The open ones need no token: \`${CATALOG_ROOT}/api/services\`, \`api/methods\`, \`api/versions\`, \`api/changelog\`, \`server/time\` and \`server/codes\`, each with \`.json\` or \`.xml\`. Every method of the catalog needs an access token${scope === '' ? '' : ` with \`${scope}\``}, and answers that it has no data.`,
      parameters: [
        pathParameter(
          'path',
          'A method with its format; it has several segments.',
          'server/time.json',
        ),
        CALLBACK,
      ],
      security: [{}, { accessToken: scope === '' ? [] : [scope] }],
      answers: methodAnswers(service, request, scope),
    },
    insertedMetadata(service, {
      id: 'metadataOf_catalog',
      path,
      parameters: [REST],
    }),
  ];
}

function methodAnswers(
  { challengeTo }: DescribedService,
  request: Request,
  scope: string,
): readonly SampleAnswer[] {
  const envelope = directoryEnvelope({ now: () => SAMPLE_TIME });
  const answer = { format: 'json', methodId: 1087, now: SAMPLE_TIME, requests: 1 } as const;
  const refused = (code: 'missing_token' | 'invalid_token' | 'insufficient_scope') => {
    const call = { url: request.url, scope, credentials: undefined, token: undefined };
    const response = Promise.resolve(challengeTo(call, code)).then((parts) => {
      const headers = { 'www-authenticate': buildChallenge('Bearer', parts) };
      return envelope(wireProblem('resource', code, { headers }), request);
    });
    const { description } = wireProblem('resource', code);
    return { name: code, description, response };
  };
  return [
    {
      name: 'data',
      description: 'What an open method says.',
      response: directoryReply({ ...answer, status: 200, data: { timestamp: SAMPLE_TIME / 1000 } }),
    },
    {
      name: 'listed',
      description: 'What an open method lists.',
      response: directoryReply({ ...answer, status: 200, data: LISTINGS }),
    },
    {
      name: 'no_data',
      description: 'A permitted call of the catalog: it has no data here.',
      response: directoryReply({ ...answer, status: 204, data: [] }),
    },
    {
      name: 'xml',
      description: 'The same as XML.',
      response: directoryReply({ ...answer, format: 'xml', status: 204, data: [] }),
    },
    script(),
    badCallback(envelope, request),
    refused('missing_token'),
    refused('invalid_token'),
    refused('insufficient_scope'),
    refusal('not_found', transportProblem('not_found'), envelope, request),
    refusal('unavailable', transportProblem('unavailable'), envelope, request),
  ];
}

function script(): SampleAnswer {
  const answer = { format: 'json', status: 200, methodId: 1081, now: SAMPLE_TIME } as const;
  return {
    name: 'script',
    description: 'A script that passes the answer to the callback.',
    response: directoryReply({ ...answer, requests: 1, callback: 'show', data: [] }),
  };
}

function badCallback(envelope: Parameters<typeof refusal>[2], request: Request): SampleAnswer {
  const problem = transportProblem('unreadable_body', {
    description: 'The callback is not the name of a function.',
  });
  return refusal('bad_callback', problem, envelope, request);
}
