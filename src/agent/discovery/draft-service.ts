import type { Recognition } from '../../discovery/index.ts';
import type { JsonObject } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { ServiceDraft } from '../dialects/index.ts';

/** What metadata says of a service in which agents can register; no URL in it is checked yet. */
export function draftService(recognition: Recognition, register: string): ServiceDraft {
  const { endpoints } = recognition;
  return {
    resource: recognition.serverResource,
    name: recognition.name,
    identityEndpoint: register,
    claimEndpoint: endpoints.claim,
    codeEndpoint: endpoints.complete,
    tokenEndpoint: isOfSignIn(recognition) ? undefined : endpoints.token,
    revocationEndpoint: endpoints.revocation,
    eventsEndpoint: endpoints.events,
    skill: endpoints.skill,
    identityTypes: recognition.identityTypes,
    assertionTypes: recognition.assertionTypes,
    emailForm: recognition.emailForm,
    credentialTypes:
      recognition.credentialTypes.length === 0 ? undefined : recognition.credentialTypes,
    credentialHeader: recognition.credentialHeader,
    scopes: recognition.scopes,
    claimGrantType: recognition.claimGrantType,
  };
}

/**
 * Whether the token endpoint is that of ordinary sign-in alone, beside registrations that give a credential
 * themselves: nothing of the agent is to be sent there.
 */
function isOfSignIn({ families, defects }: Recognition): boolean {
  return (
    families.every((family) => family === 'first') &&
    defects.some(({ rule }) => rule === 'grants-unfit')
  );
}

/** Members that the agent goes by under these names, and what each must be where it is given. */
const MUST_BE = {
  token_endpoint: 'url',
  revocation_endpoint: 'url',
  grant_types_supported: 'list',
} as const;

/**
 * A known member that is malformed is an error (ASM-09), though nothing in it would be used: the rest of such
 * a document is not to be trusted either.
 * @throws AgentError `metadata_invalid`.
 */
export function requireWellFormed(document: JsonObject): void {
  for (const [name, kind] of Object.entries(MUST_BE)) {
    const value = document[name];
    if (value === undefined || value === null) continue;
    const fits = kind === 'list' ? Array.isArray(value) : isWebUrl(value);
    if (fits) continue;
    throw new AgentError(
      `The authorization server metadata cannot be used: ${name} is not ${kind === 'list' ? 'a list' : 'a URL'}.`,
      { code: 'metadata_invalid' },
    );
  }
}

function isWebUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value);
}
