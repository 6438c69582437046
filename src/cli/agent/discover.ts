import { AgentError } from '../../agent/agent-error.ts';
import type { Discovery, Hop, Service } from '../../agent/model.ts';
import { registerStep } from '../../agent/records/register-step.ts';
import { withoutQuery } from '../../protocol/urls.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseService } from '../choose/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine, nextStepLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** What a service offers, and what is wrong with it. */
export async function discover(context: Context, typed: string | undefined): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const serviceUrl = await chooseService(context, store, typed);
  try {
    const discovery = await agent.discover({ address: serviceUrl }, { signal: interrupt.signal });
    output.result(presentDiscovery(context, discovery, serviceUrl));
    return 'done';
  } catch (error) {
    // The hops so far show where discovery failed.
    if (error instanceof AgentError && error.hops !== undefined) {
      output.say(describeHops(output.style, error.hops));
      output.say();
    }
    throw error;
  }
}

/** @param serviceUrl as it was typed: the next step names it. */
function presentDiscovery(context: Context, discovery: Discovery, serviceUrl: string): Rendering {
  const { service, hops, warnings } = discovery;
  const next = nextAt(context, service, serviceUrl);
  return {
    schema: 'discover',
    json: () => ({
      service: {
        name: service.name ?? null,
        issuer: service.issuer,
        resource: service.resource,
        identity_types: service.identityTypes,
        assertion_types: service.assertionTypes,
        scopes: service.scopes,
        claim_grant_type: service.claimGrantType ?? null,
        identity_endpoint: service.identityEndpoint,
        claim_endpoint: service.claimEndpoint ?? null,
        token_endpoint: service.tokenEndpoint,
        revocation_endpoint: service.revocationEndpoint ?? null,
        events_endpoint: service.eventsEndpoint ?? null,
        skill: service.skill ?? null,
      },
      hops: hops.map(({ step, url, status, learnt }) => ({ step, url, status, learnt })),
      warnings: warnings.map(({ code, message }) => ({ code, message })),
      next,
    }),
    human: (style) =>
      [
        describeHops(style, hops),
        '',
        style.bold(service.name ?? service.issuer),
        facts(style, [
          ['issuer', service.issuer],
          ['resource', service.resource],
          ['registration', service.identityTypes.join(', ') || 'no type that this agent supports'],
          ['scopes', service.scopes.join(' ') || 'not stated'],
          ['identity', service.identityEndpoint],
          ['claim', service.claimEndpoint],
          ['token', service.tokenEndpoint],
          ['revocation', service.revocationEndpoint],
          ['events', service.eventsEndpoint],
          ['claim grant', service.claimGrantType],
          ['skill', service.skill],
        ]),
        '',
        ...(warnings.length === 0
          ? [`${style.green('✓')} No problems found.`]
          : warnings.map(({ message }) => `${style.yellow('!')} ${message}`)),
        ...(next === null ? [] : [`  Next: ${style.cyan(next.line)}`]),
      ].join('\n'),
  };
}

/** Register by a type that is offered; where none is supported, read the skill file of the service. */
function nextAt(context: Context, { identityTypes, skill }: Service, serviceUrl: string) {
  const step = registerStep(serviceUrl, identityTypes);
  if (step !== undefined) return nextStepLine(context, step);
  return skill === undefined ? null : nextLine(context, 'skill', withoutQuery(serviceUrl));
}

function describeHops(style: Style, hops: readonly Hop[]): string {
  return table(
    hops.map(({ url, status, learnt }) => [
      status === null ? style.red('---') : style.cyan(String(status)),
      `GET ${url}`,
      style.dim(learnt),
    ]),
  );
}
