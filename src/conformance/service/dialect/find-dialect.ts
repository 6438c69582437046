import { type FamilyId, recognise, recogniseAnswer } from '../../../discovery/index.ts';
import type { Answer } from '../../http/answer.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import type { ServiceFacts } from '../service-facts.ts';

/** The family of the protocol that a service speaks, and what shows it. */
export interface FoundDialect {
  readonly family: FamilyId;
  /** What shows it, in a few words. */
  readonly shownBy: string;
  /** Where agents register, whatever the member is called. */
  readonly registerUrl: string | undefined;
  /** Where they start claims, likewise. */
  readonly claimUrl: string | undefined;
  /** The family that its documents fit better, where nothing may be registered that would show it. */
  readonly perhaps?: FamilyId;
}

/** Posts a registration to a URL. */
type Register = (url: string, body: Readonly<Record<string, string>>) => Promise<Answer>;

interface Asking {
  readonly register: Register;
  /** Whether nothing may be created: the documents alone are asked. */
  readonly safe: boolean;
  /** The user of a registration by email, where the service has no other. */
  readonly email: string;
}

/**
 * Which family a service speaks: by its documents, and where these fit two, by its answer to a registration.
 * What shows no other family is judged as the specification's own, `flat`.
 */
export async function findDialect(
  { metadata, resourceMetadata, identityTypes }: ServiceFacts,
  { register, safe, email }: Asking,
): Promise<FoundDialect> {
  const { families, endpoints, evidence } = recognise({
    server: metadata,
    resource: resourceMetadata,
  });
  const [likely = 'flat'] = families;
  const { register: registerUrl, claim: claimUrl } = endpoints;
  const shown = evidence.find((one) => one.families.includes(likely));
  const shownBy = shown === undefined ? 'its metadata' : `${shown.member}: ${shown.shows}`;
  if (likely === 'first') return { family: likely, shownBy, registerUrl, claimUrl };
  const flat: FoundDialect = { family: 'flat', shownBy, registerUrl, claimUrl };
  if (likely === 'flat' || registerUrl === undefined) return flat;
  if (safe) return { ...flat, perhaps: likely };
  const body = identityTypes.includes('anonymous')
    ? { type: 'anonymous' }
    : { type: 'service_auth', login_hint: email };
  const answer = await register(registerUrl, body).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
  const [family] = answer === undefined ? [] : recogniseAnswer(answer.json, answer.status).families;
  if (family === undefined || family === 'flat') return flat;
  return { family, shownBy: 'its answer to a registration', registerUrl, claimUrl };
}
