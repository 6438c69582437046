import { type Answer, isObject } from '../../http/answer.ts';
import type { ServiceFacts } from '../service-facts.ts';

type Body = Readonly<Record<string, string>>;

/** How a family writes a claim whose code the user reads to the agent. */
export interface Spelling {
  /** A registration without a user; undefined where none is offered. */
  anonymous(facts: ServiceFacts): Body | undefined;
  /** A registration by email; undefined where none is offered. */
  byEmail(facts: ServiceFacts, email: string): Body | undefined;
  start(claimToken: string, email: string): Body;
  complete(claimToken: string, code: string): Body;
  claimToken(answer: Answer): string | undefined;
  /** Where the claim is started; its end is below that. */
  claimUrl(answer: Answer): string | undefined;
  /** The page that shows the code; undefined where a mail has it. */
  page(answer: Answer): string | undefined;
  /** When the attempt ends, as it was told. */
  end(answer: Answer): unknown;
  /** What opens the service: an assertion to be exchanged, or a credential. */
  access(answer: Answer): string | undefined;
  /** What opens it is exchanged first. */
  readonly exchanges: boolean;
  readonly isMailed: boolean;
}

/** v0.7 as one of its two documents has it: `identity`, `claim` and `attempt` are objects. */
const NESTED: Spelling = {
  anonymous: ({ identityTypes }) =>
    identityTypes.includes('anonymous') ? { type: 'anonymous' } : undefined,
  byEmail: ({ identityTypes }, email) =>
    identityTypes.includes('service_auth')
      ? { type: 'service_auth', login_hint: email }
      : undefined,
  start: (claimToken, email) => ({
    type: 'service_auth',
    claim_token: claimToken,
    login_hint: email,
  }),
  complete: (claimToken, code) => ({ claim_token: claimToken, user_code: code }),
  claimToken: (answer) => text(member(answer, 'claim'), 'token'),
  claimUrl: (answer) => text(member(answer, 'claim'), 'url'),
  page: (answer) => text(attemptOf(answer), 'verification_uri'),
  end: (answer) => attemptOf(answer)['expires_at'],
  access: (answer) => text(member(answer, 'identity'), 'assertion'),
  exchanges: true,
  isMailed: false,
};

/** v0.1: a registration is its credential, and the code comes by mail. */
const FIRST: Spelling = {
  anonymous: ({ identityTypes }) =>
    identityTypes.includes('anonymous')
      ? { type: 'anonymous', requested_credential_type: 'api_key' }
      : undefined,
  byEmail: ({ agentAuth }, email) => {
    const types = object(agentAuth['identity_assertion'])['assertion_types_supported'];
    if (!Array.isArray(types) || !types.includes('verified_email')) return undefined;
    return {
      type: 'identity_assertion',
      assertion_type: 'verified_email',
      assertion: email,
      requested_credential_type: 'api_key',
    };
  },
  start: (claimToken, email) => ({ claim_token: claimToken, email }),
  complete: (claimToken, code) => ({ claim_token: claimToken, otp: code }),
  claimToken: (answer) => answer.string('claim_token'),
  claimUrl: (answer) => answer.string('claim_url'),
  page: () => undefined,
  end: (answer) => answer.member('expires_at'),
  access: (answer) => answer.string('credential'),
  exchanges: false,
  isMailed: true,
};

export const SPELLINGS = { nested: NESTED, first: FIRST } as const;

/** The attempt stands in the claim of a registration, and alone in the answer to a start. */
function attemptOf(answer: Answer): Readonly<Record<string, unknown>> {
  const alone = answer.member('attempt');
  return object(alone ?? member(answer, 'claim')['attempt']);
}

function member(answer: Answer, name: string): Readonly<Record<string, unknown>> {
  return object(answer.member(name));
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function text(of: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = of[name];
  return typeof value === 'string' ? value : undefined;
}
