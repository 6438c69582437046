import { controlProblem } from '../../mock/controls/read-control.ts';
import type { SigningAlgorithm } from '../../mock/keys/algorithm.ts';
import { configuredEmail } from '../../mock/sessions/configured-user.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { clientIdUrl } from '../config/paths.ts';
import type { JwtChanges } from '../config/rules.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { changed, changedByRules } from '../id-token/changed-jwt.ts';
import type { JwtContent } from '../id-token/jwt-content.ts';
import type { IdJagFacts } from '../mint/id-jag.ts';

/** An ID-JAG as a test wants it. */
export interface WantedIdJag extends JwtChanges {
  /** Whom it names. Somebody new gets an account, as at a sign-in. */
  readonly email: string;
  /** `aud`: the issuer of the service. */
  readonly audience: string;
  /** `client_id`: the client as the service knows it. Default: the agent, by the URL of its document. */
  readonly clientId?: string;
  /** `resource`. Default: none. */
  readonly resources?: readonly string[];
  /** `scope`. Default: none. */
  readonly scopes?: readonly string[];
}

/** An ID-JAG, and what it says. */
export interface MintedIdJag {
  readonly idJag: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/**
 * Mints without a sign-in, whatever consent and policy would say.
 * @throws TypeError for what is no email; WireProblem for a name in `omit` that the ID-JAG does not have.
 */
export async function mintAsAsked(
  provider: ProviderContext,
  { email: given, audience, clientId, resources = [], scopes, ...changes }: WantedIdJag,
): Promise<MintedIdJag> {
  const { clock, config, users } = provider;
  const email = configuredEmail(given, 'email');
  await users.signIn(email);
  const user = await users.find(email);
  if (user === undefined) throw new TypeError('The user is gone.');
  const client = clientId ?? clientIdUrl(config);
  const decidedAt = clock.now();
  const authTime = Math.floor(decidedAt / SECOND);
  const said = { user, audience, clientId: client, resources, scopes, authTime, decidedAt };
  const { algorithm } = config.audience(audience) ?? {};
  const { claims, idJag } = await signIdJag(provider, said, { client, algorithm, changes });
  return { idJag, header: decodeJwt(idJag)?.header ?? {}, claims };
}

/** How an ID-JAG is signed. */
interface Signing {
  /** Whose it is, by its id here. */
  readonly client: string;
  /** The algorithm of its audience, where that has one. */
  readonly algorithm: SigningAlgorithm | undefined;
  readonly changes?: JwtChanges;
}

export async function signIdJag(
  { config, decisions, keys, random }: ProviderContext,
  said: Omit<IdJagFacts, 'config' | 'jti' | 'expiresIn'>,
  { algorithm, changes, client }: Signing,
) {
  const { audience, user } = said;
  const expiresIn = Math.ceil(config.lifetimes.idJag / SECOND);
  const jti = randomToken(random, 'jag_');
  const right = decisions.idJag({ ...said, config, jti, expiresIn });
  const whom = { user: user.email, client, audience };
  const ruled = changedByRules(right, config.claims, 'id_jag', whom);
  if (changes !== undefined) checkOmitted(ruled, changes);
  const { typ, claims, header } = changes === undefined ? ruled : changed(ruled, changes);
  const idJag = await keys.sign(typ, claims, header, algorithm);
  return { idJag, claims, expiresIn };
}

/** Claims that one ID-JAG has, and another has not (ID-JAG §3.1): to omit one that is not there is no mistake. */
const OF_SOME = [
  'iss sub aud client_id jti exp iat resource scope tenant act acr amr auth_time name email email_verified',
  'phone_number phone_number_verified aud_sub aud_tenant authorization_details',
].flatMap((names) => names.split(' '));

/** Any other name that would leave out nothing is misspelled. */
function checkOmitted({ claims, header }: JwtContent, { omit = [], ...more }: JwtChanges): void {
  const all = { ...claims, ...more.claims, ...header, ...more.header };
  // What each header has is written with the signature.
  const known = [...Object.keys(all), 'typ', 'alg', 'kid'];
  const unknown = omit.find((name) => !known.includes(name) && !OF_SOME.includes(name));
  if (unknown === undefined) return;
  throw controlProblem(
    'invalid_request',
    `The ID-JAG has no ${JSON.stringify(unknown.slice(0, 64))} to omit.${didYouMean(unknown, known)} It has ${known.join(', ')}.`,
  );
}
