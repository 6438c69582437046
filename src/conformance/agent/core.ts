import type { CoreStory } from '../engine/core.ts';

/** What an agent has to be judged on before anybody says that it conforms. */
export const AGENT_CORE: readonly CoreStory[] = [
  { story: 'discovery', checks: ['agent-call.two-hops'], required: true },
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
    required: true,
  },
  { story: 'an exchange', checks: ['agent-call.exchanges'], required: true },
  { story: 'a call with the access token', checks: ['agent-call.calls'], required: true },
  {
    story: 'a revocation that is noticed',
    checks: ['agent-refused-token.same-identity', 'agent-ended-access.same-identity'],
    required: true,
  },
];

/** The same of an agent that is watched: where it registers by email, the claim is that of its registration. */
export const WATCHED_CORE: readonly CoreStory[] = AGENT_CORE.map((each) =>
  each.story === 'a claim'
    ? {
        ...each,
        checks: [...each.checks, 'agent-service-auth.registers', 'agent-service-auth.calls'],
      }
    : each,
);
