import type { ClaimRule } from '../../../mock-provider/index.ts';
import type { Invented } from '../../engine/invented.ts';
import type { Judge, Reading } from '../../engine/judge.ts';
import type { TaskClient } from '../agent-task.ts';
import { type AgentWorld, type ObservedRun, ofKind, refusal } from '../agent-world.ts';
import type { CrossAppStep } from '../control-runs.ts';
import { isResponse, type Reply, type Rule } from '../peer.ts';
import type { RequestKind } from '../received-request.ts';
import type {
  ProviderPeer,
  ProviderPeerOptions,
  ServicePeer,
  ServicePeerOptions,
} from '../service-peer.ts';
import { none } from './rows.ts';
import { need } from './traffic.ts';

/** An identity provider and an MCP server that trusts it; each knows the agent by a client of its own. */
export interface CrossApp {
  readonly world: AgentWorld;
  readonly provider: ProviderPeer;
  readonly service: ServicePeer;
  readonly atProvider: TaskClient;
  readonly atService: TaskClient;
}

interface CrossAppOptions {
  /** What is otherwise in ID tokens and ID-JAGs; their signatures are right. */
  readonly claims?: readonly ClaimRule[];
  /** Members of the provider's metadata; `null` takes one away. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** Issuers beside that of the service, for which the provider mints as if they were it. */
  readonly others?: readonly string[];
}

/** What starts the servers of the suite, each on an origin of its own. */
export interface Starts {
  readonly invented: Invented;
  readonly service: (options: ServicePeerOptions) => Promise<ServicePeer>;
  readonly provider: (options: ProviderPeerOptions) => Promise<ProviderPeer>;
}

/** Starts both. The provider signs the user in without a page. */
export async function startCrossApp(
  starts: Starts,
  { claims = [], provider: members = {}, others = [] }: CrossAppOptions = {},
  server: Readonly<Record<string, unknown>> = {},
): Promise<Omit<CrossApp, 'world'>> {
  const { invented } = starts;
  const client = () => ({ client_id: invented.word(), client_secret: invented.token() });
  const [here, there] = [client(), client()];
  let provider: ProviderPeer | undefined;
  const service = await starts.service({
    mock: async (origin) => {
      provider = await starts.provider({
        mock: {
          clients: [{ id: here.client_id, secret: here.client_secret }],
          clientMapping: [origin, ...others].map((audience) => ({
            client: here.client_id,
            audience,
            id: there.client_id,
          })),
          claims: [
            ...claims,
            ...others.map((audience) => ({
              of: 'id_jag' as const,
              audience,
              claims: { resource: `${origin}/mcp` },
            })),
          ],
          // The user signs in by authorization code alone.
          metadata: { provider: { device_authorization_endpoint: null, ...members } },
        },
      });
      return {
        trust: [{ issuer: provider.issuer, name: 'Conformance provider' }],
        clients: [{ id: there.client_id, secret: there.client_secret }],
        metadata: { server },
      };
    },
  });
  if (provider === undefined) throw new Error('The provider was not built.');
  return {
    provider,
    service,
    atProvider: { issuer: provider.issuer, ...here },
    atService: { issuer: service.origin, ...there },
  };
}

/** Starts provider and service for an agent that the suite starts: nothing is registered at this service. */
export async function crossApp(world: AgentWorld, options?: CrossAppOptions): Promise<CrossApp> {
  const starts: Starts = {
    invented: world.invented,
    service: (one) => world.service(one),
    provider: (one) => world.provider(one),
  };
  return { world, ...(await startCrossApp(starts, options, { agent_auth: null })) };
}

/** Where a native app waits for its browser (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/;

/** The MCP endpoint of the service. */
export function mcpOf({ service }: Pick<CrossApp, 'service'>): string {
  return `${service.origin}/mcp`;
}

interface ConnectFacts {
  readonly provider?: string;
  readonly resource?: string;
}

/** Runs the task `connect`. Its user's browser goes to the provider of the suite, and back to the agent. */
export function runConnect(
  { world, provider, service, atProvider, atService }: CrossApp,
  { provider: issuer = provider.issuer, resource = mcpOf({ service }) }: ConnectFacts = {},
): Promise<ObservedRun> {
  return world.run('connect', {
    service,
    resource,
    provider: issuer,
    clients: { client_at_provider: atProvider, client_at_service: atService },
    browser: true,
    browse: async (url) => {
      if (!url.startsWith(`${provider.issuer}/`)) return undefined;
      const { headers } = await provider.handle(new Request(url));
      const location = headers.get('location') ?? '';
      // A page of the provider needs no visit: nobody reads it.
      const isAgents = LOOPBACK.test(location) && !location.startsWith(`${provider.issuer}/`);
      return isAgents ? location : undefined;
    },
  });
}

/** Where one thing is wrong, and what the agent must not send there. */
interface RefusedCase extends CrossAppOptions {
  /** What is wrong there. */
  readonly wrong?: (both: CrossApp) => void;
  /** How far the agent gets where all is right. */
  readonly until: CrossAppStep;
  /** The requests that it must not send, whatever else it does. */
  readonly forbidden: readonly RequestKind[];
  /** The request that the wrong answer was given to: without it there was nothing to refuse. */
  readonly asked: readonly RequestKind[];
}

/**
 * Runs the agent, in fresh folders, where one thing is wrong, and reads that it stopped there.
 * @throws CannotTest when it does not get as far where all is right, or did not ask for what is wrong.
 */
async function stopsAt(world: AgentWorld, one: RefusedCase): Promise<Reading> {
  await world.controls.need('connect', one.until);
  await world.harness.forget();
  const both = await crossApp(world, one);
  one.wrong?.(both);
  const run = await runConnect(both);
  const [asked] = ofKind(run.traffic, ...one.asked);
  need(asked, 'The agent did not ask for what is wrong here', run);
  return none(ofKind(run.traffic, ...one.forbidden));
}

/**
 * Cases, each in a world of its own: in all of them the agent stops before what it must not send.
 * @param common What they share.
 */
export function eachStops<Name extends string>(
  judge: Judge<Name>,
  world: AgentWorld,
  common: RefusedCase,
  cases: readonly (readonly [check: Name, what: string, Partial<RefusedCase>])[],
): Promise<void> {
  return world.eachBeside(cases, async (beside, [check, what, one]) => {
    const { ok, seen = '', exchange } = await stopsAt(beside, { ...common, ...one });
    judge.expect(check, ok, seen, { case: what, exchange });
  });
}

/** Changes the query of where the provider sends the browser. */
export function changeRedirect(change: (query: URLSearchParams) => void): Rule {
  return async (_ask, next) => {
    const reply = await next();
    const location = isResponse(reply) ? reply.headers.get('location') : null;
    if (!isResponse(reply) || location === null) return reply;
    const url = new URL(location);
    change(url.searchParams);
    return new Response(null, { status: reply.status, headers: { location: url.href } });
  };
}

/** What MCP says of a call that needs more scope, in its challenge. */
export function insufficientScope(service: ServicePeer, scope: string): Reply {
  const metadata = `${service.origin}/.well-known/oauth-protected-resource/mcp`;
  const challenge = `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${metadata}"`;
  return refusal(403, { error: 'insufficient_scope' }, { 'www-authenticate': challenge });
}
