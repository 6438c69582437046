import {
  json,
  type Operation,
  oauthEnvelope,
  publicReply,
  type SampleAnswer,
  sampleKeySet,
  unavailable,
} from '../../mock/index.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  MEDIA_TYPE,
  OPENID_CONFIGURATION_PATH,
} from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import { clientDocument, providerDocument } from '../discovery/metadata.ts';
import type { DescribedProvider } from './samples.ts';

/** What a provider publishes of itself. */
export function discoveryOperations({ config, keys }: DescribedProvider): readonly Operation[] {
  const { issuer } = config;
  const published = (
    id: string,
    path: string,
    summary: string,
    description: string,
    ...answers: readonly Omit<SampleAnswer, 'name' | 'description'>[]
  ): Operation => ({
    ...{ id, path, summary, description },
    method: 'GET',
    tag: 'discovery',
    answers: [
      ...answers.map((answer, at) => ({
        name: at === 0 ? id : `${id}_${at + 1}`,
        description: 'The document.',
        ...answer,
      })),
      unavailable(oauthEnvelope, new Request(issuer + path)),
    ],
  });
  const metadata = () =>
    ({
      wire: 'authorization-server-metadata',
      response: publicReply(providerDocument(config, keys.algorithm)),
    }) as const;
  return [
    published(
      'getAuthorizationServerMetadata',
      AUTHORIZATION_SERVER_PATH,
      'Read what the provider can do',
      'The metadata of the authorization server (RFC 8414).',
      metadata(),
    ),
    published(
      'getOpenidConfiguration',
      OPENID_CONFIGURATION_PATH,
      'Read what the provider can do, as a client of OpenID Connect',
      'The same document (OpenID Connect Discovery §4).',
      metadata(),
    ),
    published(
      'getProviderKeys',
      PATHS.jwks,
      'Read the keys of the provider',
      "The keys that ID tokens, ID-JAGs and events are signed with (RFC 7517). The key of the example is nobody's.",
      { response: publicReply(sampleKeySet(keys.algorithm), MEDIA_TYPE.jwkSet) },
    ),
    published(
      'getClient',
      PATHS.client,
      'Read which client ID-JAGs name',
      'The client ID metadata document of the agent.',
      { response: publicReply(clientDocument(config)) },
    ),
    {
      ...published(
        'showHome',
        PATHS.home,
        'Show what this is',
        'A page for a browser; for a program what this is and where its documents are.',
        {
          response: json(
            {
              kind: 'mock provider',
              name: config.name,
              issuer,
              description: 'What it is for.',
              endpoints: { jwks: issuer + PATHS.jwks },
            },
            { headers: { vary: 'Accept' } },
          ),
        },
        {
          response: new Response('<!doctype html>', {
            headers: { 'content-type': 'text/html; charset=utf-8' },
          }),
        },
      ),
      tag: 'pages',
    },
  ];
}
