import { AgentError } from '../../agent/agent-error.ts';
import { clockOffset } from '../../agent/http/server-time.ts';
import type { Discovery, Hop } from '../../agent/model.ts';
import type { Recognition } from '../../discovery/index.ts';
import { describeDuration, MINUTE } from '../../protocol/durations.ts';
import { isLoopbackHost, withoutQuery } from '../../protocol/urls.ts';
import {
  type Clock,
  type Fetch,
  NetworkError,
  type NetworkErrorCode,
} from '../../runtime/ports.ts';
import type { ProxyFor } from '../../runtime/proxy.ts';
import { type OpenAgent, openAgent } from '../prompts/open-agent.ts';
import { chooseService } from '../prompts/service.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import { otherWarnings } from '../shell/recognition-json.ts';
import { redactUrl } from '../shell/redact-url.ts';
import { type Check, type CheckGroup, failed, ok, warn } from './check.ts';
import { checkRegistration } from './check-registration.ts';

/** The connection to the service, step by step; the first step that fails is the last one. */
export async function checkService(
  context: Context,
  argument: string | undefined,
  proxyFor: ProxyFor,
): Promise<CheckGroup> {
  const { fetch, seen } = observeFetch(await context.fetch(), context.world.clock);
  let open: OpenAgent;
  let url: string;
  try {
    open = await openAgent({ ...context, fetch: async () => fetch });
    url = await chooseService(context, open.store, argument);
  } catch (error) {
    const check = failed('service', error, context);
    // No service is no failure: there is only nothing to check.
    const isMissing = check.details?.['code'] === 'service_missing';
    return { title: 'Service', checks: [isMissing ? { ...check, status: 'warn' } : check] };
  }
  const { signal } = context.interrupt;
  const address = redactUrl(url);
  let discovery: Discovery | undefined;
  let error: unknown;
  try {
    discovery = await open.agent.discover({ address: url }, { signal });
  } catch (caught) {
    error = caught;
  }
  const { hops = [], recognition } = discovery ?? (error instanceof AgentError ? error : {});
  const failure = discovery === undefined ? failed('discovery', error, context) : undefined;
  const verdict = recognition && { verdict: recognition.verdict };
  const problem = failure && { ...failure, details: { ...failure.details, ...verdict } };
  const reach = checkReach(url, seen, proxyFor);
  const isReached = reach.every(({ status }) => status !== 'fail');
  const found = [
    ...reach,
    ...hopChecks(hops, problem !== undefined && !isNothingThere(error)),
    ...(discovery === undefined ? [] : [discoveryCheck(context, discovery, url)]),
    ...(problem === undefined ? [] : [problem]),
    ...(recognition?.held ?? []).map((holds) => ok('rule_held', holds)),
    ...ruleChecks(context, recognition, withoutQuery(url)),
    ...otherWarnings(recognition, discovery?.warnings ?? []).map(({ code, message }) =>
      warn('discovery', message, { details: { code } }),
    ),
    checkClock(seen),
  ];
  // A failure is reported once, at the step that failed.
  const steps = reach.map((check) =>
    check.status === 'fail'
      ? { ...check, ...problem, id: check.id, summary: `${check.summary} ${problem?.summary}` }
      : check,
  );
  // Nobody registers at a provider, nor at a client.
  const registration =
    recognition?.role === 'provider' || recognition?.role === 'client'
      ? []
      : [await checkRegistration(context, open, url, discovery?.service)];
  const chosen = ok('service', `Service: ${address}`, { details: { address } });
  return {
    title: 'Service',
    checks: [chosen, ...(isReached ? found : steps), ...registration],
  };
}

/** How an exchange went. */
interface Observed {
  readonly url: string;
  /** Why there was no answer. */
  readonly problem: NetworkErrorCode | undefined;
  /** The server's clock minus ours, in milliseconds; `undefined` when it did not show it. */
  readonly clockOffset: number | undefined;
}

/** The fetch port, and what was seen through it. */
function observeFetch(fetch: Fetch, clock: Clock) {
  const seen: Observed[] = [];
  const observed: Fetch = async (url, init) => {
    try {
      const response = await fetch(url, init);
      const offset = clockOffset(response.headers, clock.now());
      seen.push({ url, problem: undefined, clockOffset: offset });
      return response;
    } catch (error) {
      const problem = error instanceof NetworkError ? error.code : 'unknown';
      seen.push({ url, problem, clockOffset: undefined });
      throw error;
    }
  };
  return { fetch: observed, seen };
}

const BEFORE_CONNECTION: ReadonlySet<NetworkErrorCode> = new Set(['not_found']);
const BEFORE_TLS: ReadonlySet<NetworkErrorCode> = new Set([
  'refused',
  'timeout',
  'reset',
  'proxy',
  'bad_port',
  'unknown',
]);

/** How far the first request came: its error says at which step it ended. */
function checkReach(url: string, seen: readonly Observed[], proxyFor: ProxyFor): readonly Check[] {
  const problem = seen.find((one) => new URL(one.url).host === new URL(url).host)?.problem;
  const { hostname, protocol } = new URL(url);
  const proxy = proxyFor(url);
  const checks: Check[] = [];
  const step = (id: string, isFailed: boolean, good: string, bad: string) => {
    checks.push(isFailed ? { id, status: 'fail', summary: bad, outcome: 'network' } : ok(id, good));
    return !isFailed;
  };
  const isKnown =
    proxy !== undefined || isLoopbackHost(hostname)
      ? true
      : step(
          'dns',
          problem !== undefined && BEFORE_CONNECTION.has(problem),
          `The name ${hostname} resolves.`,
          `The name ${hostname} does not resolve.`,
        );
  const through = proxy === undefined ? '' : ` through the proxy ${proxy.host}`;
  const isConnected =
    isKnown &&
    step(
      'connection',
      problem !== undefined && BEFORE_TLS.has(problem),
      `${hostname} answers${through}.`,
      `${hostname} does not answer${through}.`,
    );
  if (isConnected && protocol === 'https:') {
    step(
      'tls',
      problem === 'tls' || problem === 'not_tls',
      'Its certificate is trusted.',
      'TLS failed.',
    );
  }
  return checks;
}

/** Whether no document is anywhere: that is one failure, and none of the place that was asked last. */
function isNothingThere(error: unknown): boolean {
  return error instanceof AgentError && error.code === 'metadata_not_found';
}

function hopChecks(hops: readonly Hop[], isEnd: boolean): readonly Check[] {
  // A skill file is looked for after discovery has failed: that is not where it ended.
  const last = hops.findLastIndex(({ step }) => step !== 'skill_file');
  return hops.map(({ step, method = 'GET', url, status, learnt }, index) => ({
    id: 'hop',
    status: isEnd && index === last ? 'fail' : 'ok',
    summary: `${status ?? '---'} ${method} ${url}: ${learnt}.`,
    details: { step, method, url, http_status: status, learnt },
  }));
}

function discoveryCheck(
  context: Context,
  { recognition: { verdict }, service }: Discovery,
  url: string,
): Check {
  const { name, issuer, identityTypes, resource } = service;
  const offers =
    identityTypes.length === 0
      ? 'offers no registration type that this agent supports'
      : `offers ${identityTypes.join(', ')}`;
  return ok('discovery', `${name ?? issuer} ${offers}.`, {
    next: nextLine(context, 'discover', withoutQuery(url)),
    details: { issuer, resource, identity_types: identityTypes, verdict },
  });
}

/** What its publisher should mend, by the rules of `lint`, which says what to write instead. */
function ruleChecks(
  context: Context,
  recognition: Recognition | undefined,
  url: string,
): readonly Check[] {
  return (recognition?.defects ?? [])
    .filter(({ severity }) => severity !== 'note')
    .map(({ rule, severity, member, message }, index, { length }) =>
      warn('rule', `${member}: ${message}`, {
        ...(index === length - 1 && { next: nextLine(context, 'lint', url) }),
        details: { rule, severity },
      }),
    );
}

/** The clock skew that services tolerate. */
const TOLERANCE = MINUTE;

function checkClock(seen: readonly Observed[]): Check {
  const offset = seen.findLast((each) => each.clockOffset !== undefined)?.clockOffset;
  if (offset === undefined) {
    return warn('clock', 'The server sends no Date header.', {
      hint: 'Expiry times are judged by the clock of this machine.',
    });
  }
  const details = { offset_ms: offset };
  if (offset === 0) return ok('clock', 'The clocks agree.', { details });
  const sentence = `The server's clock is ${describeDuration(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} the clock here.`;
  if (Math.abs(offset) <= TOLERANCE) return ok('clock', sentence, { details });
  return warn('clock', sentence, {
    hint: 'Expiry times are judged by the clock of the server, so commands work; correct the clock here anyway.',
    details,
  });
}
