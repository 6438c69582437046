import {
  browserSession,
  CONTROL_SECURITY,
  type ControlOperation,
  controlOperations,
  sessionCookieName,
  writeApiDocument,
} from '../../mock/index.ts';
import { type JsonObject, PROTECTED_RESOURCE_PATH } from '../../protocol/index.ts';
import { exampleResource } from '../config/example-resource.ts';
import { MEMBER_TEXTS } from '../dialects/sample-requests.ts';
import { directoryOperations } from './directory-operations.ts';
import { discoveryOperations } from './discovery-operations.ts';
import { resourceOperations } from './resource-operations.ts';
import { type DescribedService, ServiceSamples } from './samples.ts';
import { ServicePages } from './service-pages.ts';
import { spokenOperations } from './spoken-operations.ts';

const TAGS = {
  discovery: 'What the service publishes of itself.',
  registration: 'How an agent registers.',
  claim: 'How a user takes over what an agent registered.',
  tokens: 'How an agent gets what it calls with, and gives it back.',
  events: 'What providers tell the service.',
  resources: 'What is called with an access token.',
  directory: 'The directory of services.',
  pages: 'What the user sees.',
  controls: 'What a test does to the mock beside the protocol. Each takes the control token.',
} as const;

/**
 * The OpenAPI document of a service, as it is configured and whatever it speaks.
 * @param controls those that are open; empty: none is.
 */
export async function serviceDocument(
  service: DescribedService,
  controls: readonly ControlOperation[],
): Promise<JsonObject> {
  const { config } = service;
  const samples = new ServiceSamples(service);
  const pages = new ServicePages(service, samples);
  const { path } = exampleResource(config);
  const metadata = config.issuer + PROTECTED_RESOURCE_PATH + path;
  return writeApiDocument({
    title: config.name,
    description:
      'A mock service that agents register at (agentic registration). Every example was made by the code that answers in earnest; nothing in it is a secret of anybody.',
    issuer: config.issuer,
    operations: [
      ...discoveryOperations(service),
      ...spokenOperations(service, samples, pages),
      ...(await resourceOperations(service, samples)),
      ...directoryOperations(service),
      ...pages.always(),
      ...controlOperations(config.issuer, controls),
    ],
    tags: TAGS,
    texts: MEMBER_TEXTS,
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'opaque',
        description: `What a registration gave, or the token endpoint did. A call without it is told where to begin: the metadata of its resource, such as ${metadata} (RFC 9728).`,
        'x-protected-resource-metadata': metadata,
      },
      browserSession: browserSession(sessionCookieName('service', config.issuer)),
      ...(controls.length > 0 && CONTROL_SECURITY),
    },
  });
}

export { serviceControlOperations } from '../controls/control-operations.ts';
