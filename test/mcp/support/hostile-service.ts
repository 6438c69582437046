import type { AgentOptions } from '../../../src/agent/index.ts';
import type { Fetch } from '../../../src/runtime/index.ts';

/** What is sent, and every token that was handed out so far. */
interface Sent {
  readonly url: string;
  readonly tokens: readonly string[];
}

type Answer = (sent: Sent, rightAnswer: () => Promise<Response>) => Promise<Response> | Response;

/**
 * The same agent, whose service is another one in what `answer` says. It hears every token that the right one
 * hands out.
 */
export function withHostileService(
  options: AgentOptions,
  answer: Answer,
): AgentOptions & {
  readonly tokens: Set<string>;
} {
  const tokens = new Set<string>();
  const fetch: Fetch = async (url, init) => {
    for (const token of sentTokens(init)) tokens.add(token);
    return answer({ url, tokens: [...tokens] }, async () => {
      const response = await options.fetch(url, init);
      const text = await response.clone().text();
      for (const token of tokensIn(text)) tokens.add(token);
      return response;
    });
  };
  return { ...options, fetch, tokens };
}

const SECRET =
  /"(?:access_token|refresh_token|identity_assertion|assertion|claim_token|api_key|credential|token)":\s*"([^"]{12,})"/g;

function tokensIn(text: string): readonly string[] {
  return [...text.matchAll(SECRET)].map(([, token = '']) => token);
}

function sentTokens(init: Parameters<Fetch>[1]): readonly string[] {
  const { headers = {} } = init ?? {};
  return Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'authorization' ? [value.replace(/^\S+\s/, '')] : [],
  );
}
