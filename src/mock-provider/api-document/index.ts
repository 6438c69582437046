import {
  browserSession,
  CONTROL_SECURITY,
  type ControlOperation,
  controlOperations,
  sessionCookieName,
  writeApiDocument,
} from '../../mock/index.ts';
import type { JsonObject } from '../../protocol/index.ts';
import { discoveryOperations } from './discovery-operations.ts';
import { MEMBER_TEXTS } from './member-texts.ts';
import { providerPages } from './provider-pages.ts';
import type { DescribedProvider } from './samples.ts';
import { tokenOperations } from './token-operations.ts';

const TAGS = {
  discovery: 'What the provider publishes of itself.',
  sign_in: 'How an agent signs its user in.',
  tokens: 'How an agent gets what names its user to a service.',
  consents: 'What the user allowed, and takes back.',
  pages: 'What the user sees.',
  controls: 'What a test does to the mock beside the protocol. Each takes the control token.',
} as const;

/**
 * The OpenAPI document of a provider, as it is configured.
 * @param controls those that are open; empty: none is.
 */
export function providerDocument(
  provider: DescribedProvider,
  controls: readonly ControlOperation[],
): Promise<JsonObject> {
  const { config } = provider;
  return writeApiDocument({
    title: config.name,
    description:
      'A mock agent provider: it signs users in, asks for their consent, and mints the assertions (ID-JAGs) that name them to services. Every example was made by the code that answers in earnest, or is checked against it; nothing in it is a secret of anybody.',
    issuer: config.issuer,
    operations: [
      ...discoveryOperations(provider),
      ...tokenOperations(provider),
      ...providerPages(provider),
      ...controlOperations(config.issuer, controls),
    ],
    tags: TAGS,
    texts: MEMBER_TEXTS,
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'opaque',
        description: 'What the device grant gave. It is for the user info alone: it mints nothing.',
      },
      browserSession: browserSession(sessionCookieName('provider', config.issuer)),
      ...(controls.length > 0 && CONTROL_SECURITY),
    },
  });
}

export { providerControlOperations } from '../controls/control-operations.ts';
