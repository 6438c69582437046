import type { CoreFlow } from '../engine/core.ts';

/** What is required of an agent that registers: a client of cross-app access alone knows nothing of it. */
const REQUIRED = { required: true, orElse: ['agent-cross-app.calls'] } as const;

/** What an agent has to be judged on before anybody says that it conforms. */
export const AGENT_CORE: readonly CoreFlow[] = [
  { story: 'discovery', checks: ['agent-call.two-hops'], ...REQUIRED },
  { story: 'an anonymous registration', checks: ['agent-call.registers'] },
  {
    story: 'a registration by email',
    checks: ['agent-service-auth.registers', 'agent-service-auth.calls'],
  },
  {
    story: 'a registration by an ID-JAG',
    checks: ['agent-id-jag.registers', 'agent-id-jag.calls'],
  },
  {
    story: 'a claim',
    checks: ['agent-claim.starts', 'agent-claim.calls-claimed'],
    ...REQUIRED,
  },
  { story: 'an exchange', checks: ['agent-call.exchanges'], ...REQUIRED },
  { story: 'a call with the access token', checks: ['agent-call.calls'], ...REQUIRED },
  {
    story: 'cross-app access, to a call',
    checks: ['agent-cross-app.mints', 'agent-cross-app.redeems', 'agent-cross-app.calls'],
  },
  {
    story: 'a revocation that is noticed',
    checks: ['agent-refused-token.same-identity', 'agent-ended-access.same-identity'],
    ...REQUIRED,
  },
];

/** The same of an agent that is watched: where it registers by email, the claim is that of its registration. */
export const WATCHED_CORE: readonly CoreFlow[] = AGENT_CORE.map((each) =>
  each.story === 'a claim'
    ? {
        ...each,
        checks: [...each.checks, 'agent-service-auth.registers', 'agent-service-auth.calls'],
      }
    : each,
);
