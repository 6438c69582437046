import { describe, expect, it } from 'vitest';
import { readAnswerBody } from '../../../src/agent/http/answer.ts';
import type { AgentSurface } from '../../../src/agent/index.ts';
import { problemError, readProblem } from '../../../src/agent/problems/problem.ts';
import { WIRE_CODES } from '../../../src/protocol/index.ts';

const HINTS: Readonly<Record<string, RegExp>> = {
  '-': /^$/,
  AGAIN: /^Register again\.$/,
  MINT: /^Mint a new ID-JAG/,
  SIGN_IN: /sign in at the provider again/,
  CONFIRM: /confirm there; then give the code/,
  ASK: /^Ask the user for the code again/,
  REOPEN: /^Open another attempt\.$/,
  LATER: /^Try again later\.$/,
  CLIENT: /--member client_id=ID/,
  WAIT: /^Wait, then try again\.$/,
};

/**
 * Every error that is named of a reference, a deployment or a library: where it is said, the word, its status;
 * then the code that it comes to (`=`: the same), what to do, the kind of the error, and its hint.
 */
const TABLE = `
# The reference, before the last revision.
identity  invalid_request                         400 =                           fix_request refused        -
identity  invalid_login_hint                      400 =                           fix_request refused        -
identity  invalid_issuer                          400 =                           stop        refused        -
identity  invalid_signature                       400 =                           stop        refused        -
identity  invalid_audience                        400 =                           stop        refused        -
identity  expired                                 400 =                           mint        expired        MINT
identity  replay_detected                         400 =                           mint        refused        MINT
identity  missing_verified_email                  400 =                           stop        refused        -
identity  invalid_client_id                       400 =                           stop        refused        -
identity  anonymous_not_enabled                   400 =                           stop        refused        -
identity  service_auth_not_enabled                400 =                           stop        refused        -
identity  verified_email_not_enabled              400 service_auth_not_enabled    stop        refused        -
identity  identity_assertion_not_enabled          400 =                           stop        refused        -
identity  rate_limited                            429 =                           retry_later refused        WAIT
identity  login_required                          401 =                           sign_in     pending        SIGN_IN
identity  interaction_required                    401 =                           confirm     pending        CONFIRM
claim     invalid_request                         400 =                           fix_request refused        -
claim     invalid_login_hint                      400 =                           fix_request refused        -
claim     invalid_claim_token                     401 =                           register    not_registered AGAIN
claim     claimed_or_in_flight                    409 =                           poll_claim  refused        AGAIN
claim     claim_expired                           410 =                           register    expired        AGAIN
claim     rate_limited                            429 =                           retry_later refused        WAIT
claim     too_many_attempts                       429 =                           stop        refused        -
# Codes that the agent hands in, first versions.
read_back otp_invalid                             401 invalid_user_code           ask_code    refused        ASK
read_back otp_not_generated                       400 claim_not_confirmed         confirm     pending        CONFIRM
read_back otp_expired                             410 claim_attempt_expired       reopen      expired        REOPEN
read_back claim_expired                           410 =                           register    expired        AGAIN
read_back previously_claimed                      409 already_claimed             stop        refused        -
read_back claim_superseded                        410 claim_attempt_expired       reopen      expired        REOPEN
read_back claim_completed                         409 already_claimed             stop        refused        -
claim     previously_claimed                      409 claimed_or_in_flight        poll_claim  refused        AGAIN
claim     claim_completed                         409 claimed_or_in_flight        poll_claim  refused        AGAIN
# Their documents, where the code says something else.
identity  audience_mismatch                       400 invalid_audience            stop        refused        -
identity  credential_expired                      400 expired                     mint        expired        MINT
identity  issuer_not_enabled                      400 invalid_issuer              stop        refused        -
# The token endpoint and the provider's.
token     authorization_pending                   400 =                           wait        pending        -
token     slow_down                               400 =                           slow_down   pending        -
token     expired_token                           400 =                           reopen      expired        REOPEN
token     access_denied                           400 =                           stop        refused        -
token     invalid_grant                           400 =                           poll_claim  not_registered AGAIN
token     invalid_client                          401 =                           fix_request refused        CLIENT
token     unsupported_grant_type                  400 =                           fix_request refused        -
token     insufficient_user_authentication        400 =                           sign_in     refused        SIGN_IN
identity  insufficient_user_authentication        401 login_required              sign_in     pending        SIGN_IN
# The last revision, and the vendors that follow it.
identity  anonymous_registration_disabled         400 anonymous_not_enabled       stop        refused        -
identity  service_auth_registration_disabled      400 service_auth_not_enabled    stop        refused        -
identity  identity_assertion_registration_disabled 400 identity_assertion_not_enabled stop        refused        -
identity  auth_method_disabled                    403 =                           stop        refused        -
refresh   invalid_refresh_token                   401 =                           register    not_registered AGAIN
refresh   invalid_grant                           400 invalid_refresh_token       register    not_registered AGAIN
refresh   rate_limit_exceeded                     429 rate_limited                retry_later refused        WAIT
identity  rate_limit_exceeded                     429 rate_limited                retry_later refused        WAIT
identity  rate_limit_exceeded                     400 rate_limited                retry_later refused        WAIT
claim     rate_limit_exceeded                     403 rate_limited                retry_later refused        WAIT
token     rate_limited                            429 =                           retry_later refused        WAIT
claim     invalid_claim                           401 invalid_claim_token         register    not_registered AGAIN
claim     replay_detected                         400 =                           mint        refused        MINT
claim     audience_mismatch                       400 invalid_audience            stop        refused        -
claim     already_claimed                         409 claimed_or_in_flight        poll_claim  refused        AGAIN
claim     claim_revoked                           410 claim_expired               register    expired        AGAIN
read_back invalid_claim                           401 invalid_claim_token         register    not_registered AGAIN
read_back claim_not_confirmed                     409 =                           confirm     pending        CONFIRM
read_back invalid_user_code                       401 =                           ask_code    refused        ASK
read_back user_code_invalid                       400 invalid_user_code           ask_code    refused        ASK
read_back user_code_expired                       410 claim_attempt_expired       reopen      expired        REOPEN
read_back expired_token                           400 claim_attempt_expired       reopen      expired        REOPEN
read_back claim_denied                            403 access_denied               stop        refused        -
read_back already_claimed                         409 =                           stop        refused        -
read_back claimed_or_in_flight                    409 already_claimed             stop        refused        -
read_back claim_revoked                           410 claim_expired               register    expired        AGAIN
read_back too_many_attempts                       429 =                           reopen      expired        REOPEN
read_back rate_limit_exceeded                     429 rate_limited                retry_later refused        WAIT
# Single deployments and libraries.
identity  registration_not_allowed                403 =                           stop        refused        -
identity  sso_required                            403 =                           stop        refused        -
identity  issuer_not_enabled                      403 invalid_issuer              stop        refused        -
identity  access_denied                           400 =                           stop        refused        -
identity  temporarily_unavailable                 501 =                           retry_later network        LATER
identity  invalid_identity_assertion              401 =                           stop        refused        -
identity  missing_verified_identity               403 missing_verified_email      stop        refused        -
identity  agent_registration_disabled             403 =                           stop        refused        -
identity  approval_required                       403 =                           stop        refused        -
read_back code_dead                               410 too_many_attempts           reopen      expired        REOPEN
token     access_denied                           403 =                           stop        refused        -
token     user_code_expired                       410 expired_token               reopen      expired        REOPEN
token     claim_expired                           410 expired_token               reopen      expired        REOPEN
token     claim_not_confirmed                     409 authorization_pending       wait        pending        -
token     claim_denied                            403 access_denied               stop        refused        -
token     invalid_claim_token                     401 invalid_grant               poll_claim  not_registered AGAIN
token     claim_revoked                           410 invalid_grant               poll_claim  not_registered AGAIN
resource  capability_requires_claim               403 =                           claim       refused        -
`;

const ROWS = TABLE.split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [surface, sent = '', status, meant, move, kind, hint = ''] = line.split(/ +/);
    const code = meant === '=' ? sent : meant;
    return {
      surface: surface as AgentSurface,
      sent,
      status: Number(status),
      code,
      move,
      kind,
      hint,
    };
  });

const NOW = Date.UTC(2026, 0, 1);
const WORDS = 'What the service says itself.';

function read(surface: AgentSurface, body: object, status: number) {
  const text = JSON.stringify(body);
  const where = 'https://service.example';
  const answer = {
    where,
    status,
    headers: new Headers(),
    sentAt: NOW,
    body: readAnswerBody(text),
    text,
  };
  const problem = readProblem(answer, surface);
  if (problem === undefined) throw new Error('It was read as a success.');
  return problem;
}

describe('the code of a service', () => {
  it.each(ROWS)('$surface: $sent ($status) is $code: $move', (row) => {
    const { surface, sent, status, code, move, kind, hint } = row;
    const envelopes = [
      { error: sent, error_description: WORDS },
      { error: sent, message: WORDS },
      { error: { code: sent, message: WORDS } },
      { err: sent, description: WORDS },
      { code: sent, message: WORDS },
    ];
    for (const envelope of envelopes) {
      const problem = read(surface, envelope, status);
      expect(problem).toMatchObject({ surface, sent, code, move, status, description: WORDS });
      const error = problemError(problem);
      expect(error.kind).toBe(kind);
      expect(error.hint ?? '').toMatch(HINTS[hint] ?? 'no such hint');
      expect(error.message).toContain(WORDS);
      // Its own name, where ours is another and where we have none.
      if (sent !== code || error.code === 'unknown_problem') expect(error.message).toContain(sent);
    }
  });

  it('is the list’s own where the list has it there, whatever it is called elsewhere', () => {
    for (const [surface, codes] of Object.entries(WIRE_CODES)) {
      if (surface === 'complete' || surface === 'events') continue;
      for (const [code, { status, next }] of Object.entries(codes)) {
        const problem = read(surface as AgentSurface, { error: code }, status);
        expect(problem).toMatchObject({ code, sent: code, move: next });
      }
    }
  });

  it('stays as it is where nobody knows it', () => {
    expect(read('claim', { error: 'out_of_tea' }, 418)).toMatchObject({
      code: 'out_of_tea',
      move: 'stop',
    });
    expect(read('claim', { error: 'out_of_tea' }, 502).move).toBe('retry_later');
    expect(read('claim', { error: 'toString' }, 400)).toMatchObject({ code: 'toString' });
  });

  it('is shown as a sentence where it is one', () => {
    const error = problemError(read('claim', { error: 'No such claim here' }, 404));
    expect(error.message).toBe(
      'The claim was refused with 404, without naming a reason. It says: "No such claim here".',
    );
    const twice = read('claim', { error: 'Gone fishing', message: 'Gone fishing' }, 404);
    expect(problemError(twice).message.match(/Gone fishing/g)).toHaveLength(1);
  });

  it('stands before the description where ours is another', () => {
    const error = problemError(read('read_back', { error: 'otp_invalid', message: 'No.' }, 401));
    expect(error.message).toBe(
      'The code was refused: The code is wrong. It says: "otp_invalid: No.".',
    );
  });

  it('has its text in a detail, too (RFC 9457 §3.1.4)', () => {
    expect(read('claim', { type: 'about:blank', detail: WORDS }, 403).description).toBe(WORDS);
  });
});
