import { recognise } from '../../discovery/index.ts';
import { isJsonObject, parsedUrl } from '../../protocol/index.ts';
import type { Exchange, Receiver } from '../exchange.ts';
import type { Step } from './step.ts';

/** What lies behind a URL. `token`: which grant it is, the request says. */
type Place = readonly [path: RegExp, step: Step];

const METADATA: readonly Place[] = [
  [/\/\.well-known\/oauth-protected-resource(\/|$)/, 'resource_metadata'],
  [/\/\.well-known\/(oauth-authorization-server|openid-configuration)(\/|$)/, 'server_metadata'],
  [/\/jwks(\.json)?$/, 'keys'],
];

/** Where the mocks have theirs: what is not learned from metadata. */
const PLACES: Readonly<Record<Receiver, readonly Place[]>> = {
  service: [
    ...METADATA,
    [/^\/agent\/identity$/, 'register'],
    [/^\/agent\/identity\/claim$/, 'open_claim'],
    [/^\/agent\/identity\/claim\/complete$/, 'complete_claim'],
    [/^\/agent\/event\/notify$/, 'event'],
    [/^\/oauth2\/token$/, 'token'],
    [/^\/oauth2\/revoke$/, 'revoke'],
    [/^\/oauth2\/introspect$/, 'introspect'],
    [/^\/oauth2\/authorize$/, 'authorize'],
    [/^\/(auth|skill)\.md$/i, 'skill'],
    [/^\/log-?in(\/|$)/, 'sign_in'],
    [/^\/(claim|c)(\/|$)/, 'claim_page'],
    [/^\/connections(\/|$)/, 'connections'],
    [/^\/mails(\/|$)/, 'mails'],
    [/^\/(v2\/|api\/services\.)/, 'directory'],
  ],
  provider: [
    ...METADATA,
    [/^\/agent-auth\.json$/, 'client_document'],
    [/^\/oauth2\/authorize$/, 'authorize'],
    [/^\/oauth2\/device_authorization$/, 'device_authorization'],
    [/^\/oauth2\/token$/, 'token'],
    [/^\/oauth2\/userinfo$/, 'user_info'],
    [/^\/oauth2\/consents\/revoke$/, 'consent'],
    [/^\/device(\/|$)/, 'device_page'],
    [/^\/consents?(\/|$)/, 'consent'],
    [/^\/log-?in(\/|$)/, 'sign_in'],
  ],
};

/**
 * Which URL is which endpoint: those of the mocks, and what the metadata says that went over the wire. So a
 * foreign service is understood once its documents were read.
 */
export class KnownEndpoints {
  readonly #learned = new Map<string, Step>();
  readonly #issuers = new Map<string, string>();

  /** Reads the endpoints of an answer with metadata; others are passed over. */
  learn({ response, to, url }: Exchange): void {
    const document = response.body;
    const step = this.stepAt(to, url);
    if (!isJsonObject(document)) return;
    if (step !== 'server_metadata' && step !== 'resource_metadata') return;
    const { endpoints } = recognise(
      step === 'server_metadata' ? { server: document, at: url } : { resource: document, at: url },
    );
    this.#add(endpoints.register, 'register');
    this.#add(endpoints.claim, 'open_claim');
    this.#add(endpoints.complete, 'complete_claim');
    this.#add(endpoints.token, 'token');
    this.#add(endpoints.revocation, 'revoke');
    this.#add(endpoints.events, 'event');
    this.#add(endpoints.skill, 'skill');
    this.#add(endpoints.jwks, 'keys');
    this.#add(endpoints.deviceAuthorization, 'device_authorization');
    const token = placeOf(String(endpoints.token))?.key;
    const { issuer } = document;
    if (token !== undefined && typeof issuer === 'string') this.#issuers.set(token, issuer);
    // Of cross-app access alone, which a registration does without.
    this.#add(document['authorization_endpoint'], 'authorize');
    this.#add(document['introspection_endpoint'], 'introspect');
  }

  /** Undefined where nobody said what it is: a call of the service's own API, or a page. */
  stepAt(to: Receiver, url: string): Step | undefined {
    const place = placeOf(url);
    if (place === undefined) return undefined;
    const learned = this.#learned.get(place.key);
    if (learned !== undefined) return learned;
    return PLACES[to].find(([path]) => path.test(place.path))?.[1];
  }

  /** The issuer of the server whose metadata named this URL as its token endpoint. */
  issuerOf(url: string): string | undefined {
    const place = placeOf(url);
    return place && this.#issuers.get(place.key);
  }

  #add(url: unknown, step: Step): void {
    const key = typeof url === 'string' ? placeOf(url)?.key : undefined;
    // The first meaning stays: several kinds of a request may go to one address.
    if (key !== undefined && !this.#learned.has(key)) this.#learned.set(key, step);
  }
}

function placeOf(url: string): { readonly key: string; readonly path: string } | undefined {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return undefined;
  const { origin, pathname } = parsed;
  return { key: origin + pathname, path: pathname };
}
