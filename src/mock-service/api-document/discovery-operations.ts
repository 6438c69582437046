import {
  json,
  type Operation,
  pathParameter,
  publicReply,
  refusal,
  type SampleAnswer,
  sampleKeySet,
  transportProblem,
  unavailable,
} from '../../mock/index.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  MEDIA_TYPE,
  PROTECTED_RESOURCE_PATH,
} from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import { authorizationServerDocument, resourceDocument } from '../discovery/metadata.ts';
import type { DescribedService } from './samples.ts';

/** What a service publishes of itself. */
export function discoveryOperations(service: DescribedService): readonly Operation[] {
  const { config, dialect, keys } = service;
  const { issuer } = config;
  const published = (
    id: string,
    path: string,
    summary: string,
    description: string,
    answer: Omit<SampleAnswer, 'name'>,
  ): Operation => ({
    ...{ id, path, summary, description },
    method: 'GET',
    tag: 'discovery',
    answers: [
      { name: id, ...answer },
      unavailable(dialect.problems.registration, new Request(issuer + path)),
    ],
  });
  return [
    published(
      'getProtectedResourceMetadata',
      PROTECTED_RESOURCE_PATH,
      'Read what protects this service',
      'The metadata of the service as a protected resource (RFC 9728): where its authorization server is, and its scopes.',
      {
        description: 'The metadata.',
        wire: 'protected-resource-metadata',
        response: publicReply(resourceDocument(config, dialect, issuer)),
      },
    ),
    published(
      'getAuthorizationServerMetadata',
      AUTHORIZATION_SERVER_PATH,
      'Read where agents register',
      'The metadata of the authorization server (RFC 8414), with the block `agent_auth` of this protocol.',
      {
        description: 'The metadata.',
        wire: 'authorization-server-metadata',
        response: publicReply(authorizationServerDocument(config, dialect)),
      },
    ),
    published(
      'getServiceKeys',
      PATHS.jwks,
      'Read the keys of this service',
      'The keys that identity assertions are signed with (RFC 7517).',
      {
        description: "The key set. The key of the example is nobody's.",
        response: publicReply(sampleKeySet(keys.algorithm), MEDIA_TYPE.jwkSet),
      },
    ),
    published(
      'getSkill',
      PATHS.skill,
      'Read what an agent has to do',
      'The whole procedure in Markdown, with the URLs, scopes and lifetimes of this service.',
      {
        description: 'The text.',
        response: publicReply('# …', MEDIA_TYPE.markdown),
      },
    ),
    {
      id: 'showStart',
      method: 'GET',
      path: PATHS.start,
      tag: 'pages',
      summary: 'Show what this is',
      description: 'A page for a browser; for a program what this is and where its documents are.',
      answers: [
        {
          name: 'start',
          description: 'What this is.',
          response: json(
            {
              kind: 'mock service',
              name: config.name,
              issuer,
              description: 'What it is for.',
              endpoints: { skill: issuer + PATHS.skill },
            },
            { headers: { vary: 'Accept' } },
          ),
        },
        {
          name: 'page',
          description: 'What this is.',
          response: new Response('<!doctype html>', {
            headers: { 'content-type': 'text/html; charset=utf-8' },
          }),
        },
        unavailable(dialect.problems.registration, new Request(`${issuer}/`)),
      ],
    },
  ];
}

/** The metadata of a resource, at the URL that is derived from the resource's own (RFC 9728 §3.1). */
export function insertedMetadata(
  { config, dialect }: DescribedService,
  { id, parameters, path }: Pick<Operation, 'id' | 'path' | 'parameters'>,
): Operation {
  const envelope = dialect.problems.registration;
  const request = new Request(config.issuer);
  const document = resourceDocument(config, dialect, config.issuer + path);
  return {
    id,
    method: 'GET',
    path: PROTECTED_RESOURCE_PATH + path,
    tag: 'discovery',
    summary: `Read what protects ${path}`,
    description: `The metadata of \`${path}\` as a protected resource (RFC 9728 §3.1). A challenge of that resource names this URL.`,
    ...(parameters && { parameters }),
    answers: [
      {
        name: 'metadata',
        description: 'The metadata.',
        wire: 'protected-resource-metadata',
        response: publicReply(document),
      },
      refusal('not_found', transportProblem('not_found'), envelope, request),
      unavailable(envelope, request),
    ],
  };
}

/** What stands for the rest of a path. */
export const REST = pathParameter('path', 'The rest of the path; it may have several segments.');
