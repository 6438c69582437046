import { AgentError } from '../../agent/agent-error.ts';
import type { DialectId, Discovery, Service } from '../../agent/model.ts';
import { registerStep } from '../../agent/records/register-step.ts';
import { printableUrl } from '../../protocol/mask-tokens.ts';
import { withoutQuery } from '../../protocol/urls.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { chooseService } from '../prompts/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine, nextStepLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { recognitionJson } from '../shell/recognition-json.ts';
import { discoveryTree } from './discovery-tree.ts';

export interface DiscoverOptions {
  readonly dialect?: DialectId;
}

/** What a service offers, and what is wrong with it. */
export async function discover(
  context: Context,
  typed: string | undefined,
  options: DiscoverOptions,
): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context, options);
  const serviceUrl = await chooseService(context, store, typed);
  try {
    const discovery = await agent.discover({ address: serviceUrl }, { signal: interrupt.signal });
    return output.result(presentDiscovery(context, discovery, serviceUrl, options));
  } catch (error) {
    // What was learnt so far shows where discovery failed, and what is there instead.
    if (error instanceof AgentError && error.hops !== undefined) {
      const { hops, recognition } = error;
      output.say(
        discoveryTree(output.style, { title: printableUrl(serviceUrl), hops, recognition }),
      );
      output.say();
    }
    throw error;
  }
}

/** @param serviceUrl as it was typed: the next step names it. */
function presentDiscovery(
  context: Context,
  discovery: Discovery,
  serviceUrl: string,
  options: DiscoverOptions,
): Rendering {
  const { service, recognition, hops, warnings } = discovery;
  const next = nextAt(context, service, serviceUrl, options);
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
        token_endpoint: service.tokenEndpoint ?? null,
        revocation_endpoint: service.revocationEndpoint ?? null,
        events_endpoint: service.eventsEndpoint ?? null,
        skill: service.skill ?? null,
      },
      recognition: recognitionJson(recognition),
      hops: hops.map(({ step, url, status, learnt }) => ({ step, url, status, learnt })),
      warnings: warnings.map(({ code, message }) => ({ code, message })),
      next,
    }),
    human: (style) =>
      discoveryTree(style, {
        title: service.name ?? service.issuer,
        ...{ hops, recognition, service, warnings },
        next: next?.line,
      }),
  };
}

/** Register by a type that is offered; where none is supported, read the skill file of the service. */
function nextAt(
  context: Context,
  { identityTypes, skill }: Service,
  serviceUrl: string,
  { dialect }: DiscoverOptions,
) {
  const step = registerStep(serviceUrl, identityTypes);
  // What was decided has to be said again: nothing is stored before the registration.
  const decided = dialect === undefined ? [] : ['--dialect', dialect];
  if (step !== undefined) {
    return nextStepLine(context, { ...step, args: [...step.args, ...decided] });
  }
  return nextLine(context, skill === undefined ? 'lint' : 'skill', withoutQuery(serviceUrl));
}
