import type { AGENT_CODES } from '../../agent/agent-error.ts';
import type { NextCommand, Step } from '../../agent/next-step.ts';

const step = (command: NextCommand, ...args: readonly string[]): Step => ({ command, args });

/**
 * What goes on from an error of the agent that names no step itself. `null`: nothing that could be
 * typed, or the help of the command for a wrong line.
 */
export const STEP_BY_CODE: Readonly<Record<keyof typeof AGENT_CODES, Step | null>> = {
  bad_address: null,
  bad_email: null,
  bad_token: step('doctor'),
  bad_call: null,
  header_not_allowed: null,
  not_an_id_jag: step('provider mint'),
  assertion_for_another_service: step('provider mint'),
  service_unknown: step('status'),
  provider_unknown: step('provider login', 'URL'),
  claim_not_started: step('claim'),
  email_fixed: { command: 'register', args: ['--email', 'EMAIL'] },
  registration_unknown: { command: 'use', args: ['REGISTRATION'] },
  registration_ambiguous: { command: 'use', args: ['REGISTRATION'] },
  answer_missing: null,

  not_registered: step('register'),
  registration_over: step('register'),
  registered_not_understood: step('status'),
  token_refused: step('register', '--new'),
  login_needed: step('provider login'),
  consent_needed: step('provider consent'),

  type_not_supported: step('discover'),
  // By a service or by a provider: the message says what takes its place.
  not_offered: null,
  scope_not_offered: step('discover'),
  foreign_origin: step('discover'),
  call_elsewhere: step('status'),
  already_claimed: step('status'),

  no_claim: step('status'),
  assertion_expired: step('provider mint'),
  window_over: step('register'),
  attempt_expired: step('claim'),

  unreachable: step('doctor'),
  broken_off: step('doctor'),
  server_error: step('doctor'),

  claim_pending: step('claim wait'),

  bad_answer: step('doctor'),
  answer_too_large: step('doctor'),
  redirected: step('doctor'),
  metadata_not_found: step('doctor'),
  metadata_invalid: step('doctor'),
  issuer_mismatch: step('doctor'),
  resource_mismatch: step('doctor'),
  no_agent_auth: step('doctor'),
  not_a_provider: step('register', '--assertion', '@FILE'),
  no_skill: step('discover'),
  unknown_token_type: step('doctor'),
  unknown_problem: step('status'),
  aborted: null,

  credentials_not_writable: step('doctor'),
  credentials_not_readable: step('doctor'),
  credentials_open_to_others: step('doctor'),
  credentials_not_a_file: step('doctor'),
  credentials_broken: step('doctor'),
  credentials_newer: step('doctor'),
  credentials_locked: step('doctor'),
};
