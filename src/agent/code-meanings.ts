/** What the agent's own error codes mean and what to do, as `agent-auth help errors` prints them. */
import type { AGENT_CODES } from './agent-error.ts';

interface CodeMeaning {
  /** What happened. */
  readonly means: string;
  /** What the caller does. */
  readonly advice: string;
}

const tryLater = 'Try again later.';
const tellService = 'Tell the service: the fault is there. `lint` and `doctor` say more.';

/** Of each code of the agent. */
export const CODE_MEANINGS: Readonly<Record<keyof typeof AGENT_CODES, CodeMeaning>> = {
  bad_address: {
    means: 'What was given as a URL, a path or an origin is none that can be used.',
    advice: 'Give another.',
  },
  bad_email: { means: 'The email address is not valid, or missing.', advice: 'Give another.' },
  bad_token: {
    means: '`AGENT_AUTH_TOKEN` has characters that no token has.',
    advice: 'Set it to the token alone, or unset it.',
  },
  bad_member: {
    means: 'A member of `members` has no usable name or value, or is written by the agent itself.',
    advice: 'Give another, or leave it out.',
  },
  bad_code: {
    means: 'The code is empty, or has characters that no code has. Nothing was sent.',
    advice: 'Ask the user for the code as the page or the mail shows it.',
  },
  bad_call: {
    means: 'The method of the call is no HTTP method, or takes no body.',
    advice: 'Give another.',
  },
  header_not_allowed: {
    means: 'The headers of the call have one that the agent sets itself, such as Authorization.',
    advice: 'Leave it out.',
  },
  not_an_id_jag: {
    means: 'The assertion is no JWT, or one of another type. It was not sent.',
    advice: 'Mint an ID-JAG.',
  },
  assertion_for_another_service: {
    means: 'The ID-JAG names another service as its audience. It was not sent.',
    advice: 'Mint one for this service.',
  },
  service_unknown: {
    means: 'No service was named, and none was used last.',
    advice: 'Name one with `service`.',
  },
  provider_unknown: {
    means: 'No provider was named, and there are several, or the user is signed in at none.',
    advice: 'Name one with `provider`.',
  },
  claim_not_started: {
    means: 'No claim attempt was opened, so there is nothing to wait for and no token.',
    advice: 'Open one for the user: `startClaim({ email })`.',
  },
  code_for_page: {
    means: 'The user types this code on its page. It is not handed in.',
    advice: 'Show the user page and code, then `waitForClaim`.',
  },
  answer_missing: {
    means: '`connect` needs an email address or a provider, and nobody can be asked.',
    advice: 'Ask the user, and call again with the answer.',
  },
  email_fixed: {
    means: 'The registration is for another user, which cannot be changed. Nothing was sent.',
    advice: 'Register for this user, or let them sign in.',
  },
  registration_unknown: {
    means: 'No registration of that id is stored.',
    advice: 'Name one of `status`.',
  },
  registration_ambiguous: {
    means: 'Several registrations begin with that id.',
    advice: 'Give more of it.',
  },

  not_registered: { means: 'No registration is stored to act on.', advice: 'Register.' },
  registration_over: {
    means:
      'The registration was revoked, or nothing is left of it to come to a token. Its user may have ended the access.',
    advice: 'Stop. Register again only if the user still wants it.',
  },
  registered_not_understood: {
    means:
      'An earlier registration was answered with success, in a way that was not understood. It is kept.',
    advice: 'Look at `status`. `register({ anew: true })` makes another all the same.',
  },
  token_refused: {
    means:
      'The service refuses the token, also one that it has just issued, or one of the environment.',
    advice: 'Set another token, or register again if the user still wants it.',
  },
  login_needed: {
    means: 'The user is not signed in at the provider, or too long ago.',
    advice: 'Let the user sign in: `providerLogin`.',
  },
  consent_needed: {
    means:
      'The user has not agreed at the provider to be named to this service, or no longer does.',
    advice: 'Ask the user to agree: `providerConsent`.',
  },

  type_not_supported: {
    means: 'The service does not offer this type of registration.',
    advice: 'Take one that it offers.',
  },
  not_offered: {
    means: 'The service or the provider has no endpoint for this.',
    advice: 'Do without. A token that cannot be revoked ends by itself.',
  },
  scope_not_offered: {
    means: 'The service does not offer the scope, or the registration cannot get it.',
    advice: 'Ask for another, or for none.',
  },
  foreign_origin: {
    means: 'A URL of the metadata is on another origin than its issuer. Nothing was sent there.',
    advice: 'Stop, unless you know that the origin belongs to the service: `allowOrigins`.',
  },
  call_elsewhere: {
    means: 'The URL of the call is not of the service that the token is for. Nothing was sent.',
    advice: 'Call a path, or register there.',
  },
  already_claimed: {
    means: 'The registration is claimed already.',
    advice: 'Use its token: `token`, `call`.',
  },
  no_claim: {
    means:
      'There is nothing to claim: the registration belongs to its user, or the service gave no claim.',
    advice: 'Use its token, or register by email.',
  },

  assertion_expired: {
    means: 'The ID-JAG has expired. It was not sent.',
    advice: 'Mint another.',
  },
  window_over: {
    means: 'The time in which the registration could be claimed is over.',
    advice: 'Register again, if the user still wants it.',
  },
  attempt_expired: {
    means:
      'The code of the claim has expired, and there is no token before the claim. After a denial the code is `access_denied`.',
    advice: 'Ask the user whether they want another code: `startClaim({ renew: true })`.',
  },

  unreachable: { means: 'The server did not answer.', advice: tryLater },
  broken_off: { means: 'The connection broke off within an answer.', advice: tryLater },
  server_error: { means: 'The server answered 5xx.', advice: tryLater },

  claim_pending: {
    means: 'The user has not completed the claim, so there is no token.',
    advice: '`waitForClaim`.',
  },
  code_needed: {
    means: 'The claim waits for a code that its user reads on a page or in a mail.',
    advice: 'Ask the user for it, then `submitCode`.',
  },

  bad_answer: { means: 'An answer cannot be used.', advice: tellService },
  answer_too_large: { means: 'An answer is larger than the agent reads.', advice: tellService },
  redirected: {
    means: 'A redirect was the answer. The agent follows none.',
    advice: 'Use its target, if you trust it.',
  },
  metadata_not_found: { means: 'No metadata is where it would be.', advice: 'Check the URL.' },
  metadata_invalid: { means: 'The metadata cannot be used.', advice: tellService },
  issuer_mismatch: { means: 'The metadata is of another issuer.', advice: tellService },
  resource_mismatch: { means: 'The metadata is of another resource.', advice: tellService },
  no_agent_auth: {
    means: 'The metadata says nothing about the registration of agents.',
    advice: 'Agents cannot register there.',
  },
  no_registration: {
    means: 'What is published for agents has no registration that this agent knows.',
    advice: 'Read its skill file: `skill`.',
  },
  client_registration: {
    means: 'It registers OAuth clients (RFC 7591), not agents.',
    advice: 'Agents cannot register there.',
  },
  dialect_missing: {
    means: 'The documents leave open which of two dialects is meant.',
    advice: 'Say which: the option `dialect`.',
  },
  not_a_provider: {
    means: 'What is at this URL mints no ID-JAGs.',
    advice: 'Name a provider, or hand over an ID-JAG of your own.',
  },
  no_skill: { means: 'The service names no skill file.', advice: 'Go by `discover`.' },
  unknown_token_type: {
    means: 'A token is of a type that calls cannot be made with.',
    advice: tellService,
  },
  unknown_problem: {
    means: 'A refusal with a code that is in no list, or without one. `problem` has the answer.',
    advice: 'Stop, and tell the user.',
  },
  aborted: { means: 'Your `signal` ended it.', advice: 'Call again when it is wanted.' },

  credentials_not_writable: {
    means: 'The credential file cannot be written.',
    advice: 'Name another folder in `AGENT_AUTH_HOME`.',
  },
  credentials_not_readable: {
    means: 'The credential file cannot be read, or there is no place for one.',
    advice: 'Name another folder in `AGENT_AUTH_HOME`.',
  },
  credentials_open_to_others: {
    means: 'Other users of the machine can read the credential file. It is not used.',
    advice: 'Let its mode be 600. If others may have read it, register again.',
  },
  credentials_not_a_file: {
    means: 'Something else than a file is in the place of the credential file.',
    advice: 'Remove it, or name another folder in `AGENT_AUTH_HOME`.',
  },
  credentials_broken: {
    means: 'The credential file cannot be understood. It was left as it is.',
    advice: 'Repair it, or move it away and register again.',
  },
  credentials_version: {
    means: 'Another version of agent-auth wrote the credential file.',
    advice: 'Name another folder in `AGENT_AUTH_HOME`, or move the file away and register again.',
  },
  credentials_locked: {
    means: 'Another process keeps the credential file locked.',
    advice: 'Try again.',
  },
};
