import type { NextCommand, Step } from './next-step.ts';

/** What became impossible. The CLI turns it into an exit code. */
export type ErrorKind =
  | 'usage'
  | 'not_registered'
  | 'refused'
  | 'expired'
  | 'network'
  | 'pending'
  | 'failed';

const to = (command: NextCommand, ...args: readonly string[]): Step => ({ command, args });

const entry =
  <Kind extends ErrorKind>(kind: Kind) =>
  (means: string, advice: string, next?: Step) => ({ kind, means, advice, next });
const usage = entry('usage');
const notRegistered = entry('not_registered');
const refused = entry('refused');
const expired = entry('expired');
const pending = entry('pending');
const failed = entry('failed');
const noAnswer = (means: string) => entry('network')(means, 'Try again later.', to('doctor'));
const theirFault = (means: string) =>
  failed(
    means,
    'Tell the service: the fault is there. `lint` and `doctor` say more.',
    to('doctor'),
  );

/**
 * Every code that the agent itself gives: its kind, what happened, what the caller does, and the step that helps where
 * the error names none. Codes of the wire keep their own names. `agent-auth help errors` prints them all.
 */
export const AGENT_CODES = {
  bad_address: usage(
    'What was given as a URL, a path or an origin is none that can be used.',
    'Give another.',
  ),
  bad_email: usage('The email address is not valid, or missing.', 'Give another.'),
  bad_token: usage(
    '`AGENT_AUTH_TOKEN` has characters that no token has.',
    'Set it to the token alone, or unset it.',
    to('doctor'),
  ),
  bad_member: usage(
    'A member of `members` has no usable name or value, or is written by the agent itself.',
    'Give another, or leave it out.',
  ),
  bad_code: usage(
    'The code is empty, or has characters that no code has. Nothing was sent.',
    'Ask the user for the code as the page or the mail shows it.',
  ),
  bad_call: usage('The method of the call is no HTTP method, or takes no body.', 'Give another.'),
  header_not_allowed: usage(
    'The headers of the call have one that the agent sets itself, such as Authorization.',
    'Leave it out.',
  ),
  bad_client: usage(
    'The id, secret or key of a client is none that can be used.',
    'Give what the server knows the client by.',
  ),
  client_auth_missing: usage(
    'The server takes clients in other ways than this one can show who it is.',
    'Give id and secret, or key, of the client at that server.',
  ),
  not_an_id_jag: usage(
    'The assertion is no JWT, or one of another type. It was not sent.',
    'Mint an ID-JAG.',
    to('provider mint'),
  ),
  assertion_for_another_service: usage(
    'The ID-JAG names another service as its audience. It was not sent.',
    'Mint one for this service.',
    to('provider mint'),
  ),
  service_unknown: usage(
    'No service was named, and none was used last.',
    'Name one with `service`.',
    to('status'),
  ),
  provider_unknown: usage(
    'No provider was named, and there are several, or the user is signed in at none.',
    'Name one with `provider`.',
    to('provider login', 'URL'),
  ),
  claim_not_started: usage(
    'No claim attempt was opened, so there is nothing to wait for and no token.',
    'Open one for the user: `startClaim({ email })`.',
    to('claim'),
  ),
  code_for_page: usage(
    'The user types this code on its page. It is not handed in.',
    'Show the user page and code, then `waitForClaim`.',
    to('claim wait'),
  ),
  answer_missing: usage(
    '`connect` needs an email address or a provider, and nobody can be asked.',
    'Ask the user, and call again with the answer.',
  ),
  email_fixed: usage(
    'The registration is for another user, which cannot be changed. Nothing was sent.',
    'Register for this user, or let them sign in.',
    to('register', '--email', 'EMAIL'),
  ),
  registration_unknown: usage(
    'No registration of that id is stored.',
    'Name one of `status`.',
    to('use', 'REGISTRATION'),
  ),
  registration_ambiguous: usage(
    'Several registrations begin with that id.',
    'Give more of it.',
    to('use', 'REGISTRATION'),
  ),
  not_registered: notRegistered(
    'No registration is stored to act on.',
    'Register.',
    to('register'),
  ),
  registration_over: notRegistered(
    'The registration was revoked, or nothing is left of it to come to a token. Its user may have ended the access.',
    'Stop. Register again only if the user still wants it.',
    to('register'),
  ),
  registered_not_understood: failed(
    'An earlier registration was answered with success, in a way that was not understood. It is kept.',
    'Look at `status`. `register({ anew: true })` makes another all the same.',
    to('status'),
  ),
  token_refused: notRegistered(
    'The service refuses the token, also one that it has just issued, or one of the environment.',
    'Set another token, or register again if the user still wants it.',
    to('register', '--new'),
  ),
  login_needed: notRegistered(
    'The user is not signed in at the provider, or too long ago.',
    'Let the user sign in: `providerLogin`.',
    to('provider login'),
  ),
  consent_needed: notRegistered(
    'The user has not agreed at the provider to be named to this service, or no longer does.',
    'Ask the user to agree: `providerConsent`.',
    to('provider consent'),
  ),
  type_not_supported: refused(
    'The service does not offer this type of registration.',
    'Take one that it offers.',
    to('discover'),
  ),
  not_offered: refused(
    'The service or the provider has no endpoint for this.',
    'Do without. A token that cannot be revoked ends by itself.',
  ),
  scope_not_offered: refused(
    'The service does not offer the scope, or the registration cannot get it.',
    'Ask for another, or for none.',
    to('discover'),
  ),
  foreign_origin: refused(
    'A URL of the metadata is on another origin than its issuer. Nothing was sent there.',
    'Stop, unless you know that the origin belongs to the service: `allowOrigins`.',
    to('discover'),
  ),
  call_elsewhere: refused(
    'The URL of the call is not of the service that the token is for. Nothing was sent.',
    'Call a path, or register there.',
    to('status'),
  ),
  already_claimed: refused(
    'The registration is claimed already.',
    'Use its token: `token`, `call`.',
    to('status'),
  ),
  no_claim: refused(
    'There is nothing to claim: the registration belongs to its user, or the service gave no claim.',
    'Use its token, or register by email.',
    to('status'),
  ),
  client_mismatch: refused(
    'The provider names another client to the service than the one that was given. Nothing was sent there.',
    'Give the id that the provider maps this client to, with its secret at the service.',
  ),
  assertion_expired: expired(
    'The ID-JAG has expired. It was not sent.',
    'Mint another.',
    to('provider mint'),
  ),
  window_over: expired(
    'The time in which the registration could be claimed is over.',
    'Register again, if the user still wants it.',
    to('register'),
  ),
  attempt_expired: expired(
    'The code of the claim has expired, and there is no token before the claim. After a denial the code is `access_denied`.',
    'Ask the user whether they want another code: `startClaim({ renew: true })`.',
    to('claim'),
  ),
  unreachable: noAnswer('The server did not answer.'),
  broken_off: noAnswer('The connection broke off within an answer.'),
  server_error: noAnswer('The server answered 5xx.'),
  claim_pending: pending(
    'The user has not completed the claim, so there is no token.',
    '`waitForClaim`.',
    to('claim wait'),
  ),
  code_needed: pending(
    'The claim waits for a code that its user reads on a page or in a mail.',
    'Ask the user for it, then `submitCode`.',
    to('claim'),
  ),
  bad_answer: theirFault('An answer cannot be used.'),
  answer_too_large: theirFault('An answer is larger than the agent reads.'),
  redirected: failed(
    'A redirect was the answer. The agent follows none.',
    'Use its target, if you trust it.',
    to('doctor'),
  ),
  metadata_not_found: failed('No metadata is where it would be.', 'Check the URL.', to('doctor')),
  metadata_invalid: theirFault('The metadata cannot be used.'),
  issuer_mismatch: theirFault('The metadata is of another issuer.'),
  resource_mismatch: theirFault('The metadata is of another resource.'),
  no_agent_auth: failed(
    'The metadata says nothing about the registration of agents.',
    'Agents cannot register there.',
    to('doctor'),
  ),
  no_registration: failed(
    'What is published for agents has no registration that this agent knows.',
    'Read its skill file: `skill`.',
    to('doctor'),
  ),
  client_registration: failed(
    'It registers OAuth clients (RFC 7591), not agents.',
    'Agents cannot register there.',
    to('doctor'),
  ),
  dialect_missing: usage(
    'The documents leave open which of two dialects is meant.',
    'Say which: the option `dialect`.',
    to('discover'),
  ),
  not_a_provider: failed(
    'What is at this URL mints no ID-JAGs.',
    'Name a provider, or hand over an ID-JAG of your own.',
    to('register', '--assertion', '@FILE'),
  ),
  no_cross_app: failed(
    'The server redeems no ID-JAGs, or does not say so and no client is given for it.',
    'Register there, or name the client that the service knows.',
    to('discover'),
  ),
  no_pkce: theirFault('The provider does not offer PKCE with S256. Nobody was sent there.'),
  no_loopback: failed(
    'Nothing can listen on this machine for the answer of the browser.',
    'Sign in by device code, where the provider has that.',
  ),
  sign_in_mismatch: failed(
    'The answer of the browser is not that of this sign-in, or of another issuer. Its code was not used.',
    'Sign in again. If it goes on, stop: somebody else answers in the place of the provider.',
    to('provider login', 'URL'),
  ),
  bad_id_token: theirFault(
    'The ID token is not the provider’s, or not for this client and sign-in.',
  ),
  no_skill: failed('The service names no skill file.', 'Go by `discover`.', to('discover')),
  unknown_token_type: theirFault('A token is of a type that calls cannot be made with.'),
  unknown_problem: refused(
    'A refusal with a code that is in no list, or without one. `problem` has the answer.',
    'Stop, and tell the user.',
    to('status'),
  ),
  aborted: failed('Your `signal` ended it.', 'Call again when it is wanted.'),
  credentials_not_writable: failed(
    'The credential file cannot be written.',
    'Name another folder in `AGENT_AUTH_HOME`.',
    to('doctor'),
  ),
  credentials_not_readable: failed(
    'The credential file cannot be read, or there is no place for one.',
    'Name another folder in `AGENT_AUTH_HOME`.',
    to('doctor'),
  ),
  credentials_open_to_others: failed(
    'Other users of the machine can read the credential file. It is not used.',
    'Let its mode be 600. If others may have read it, register again.',
    to('doctor'),
  ),
  credentials_not_a_file: failed(
    'Something else than a file is in the place of the credential file.',
    'Remove it, or name another folder in `AGENT_AUTH_HOME`.',
    to('doctor'),
  ),
  credentials_broken: failed(
    'The credential file cannot be understood. It was left as it is.',
    'Repair it, or move it away and register again.',
    to('doctor'),
  ),
  credentials_version: usage(
    'Another version of agent-auth wrote the credential file.',
    'Name another folder in `AGENT_AUTH_HOME`, or move the file away and register again.',
    to('doctor'),
  ),
  credentials_locked: failed(
    'Another process keeps the credential file locked.',
    'Try again.',
    to('doctor'),
  ),
} as const;

/** What helps after an error of the agent that names no step itself; `undefined`: none, or a code of the wire. */
export function stepAfter(code: string): Step | undefined {
  return Object.hasOwn(AGENT_CODES, code)
    ? AGENT_CODES[code as keyof typeof AGENT_CODES].next
    : undefined;
}
