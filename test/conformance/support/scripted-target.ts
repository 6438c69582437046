import { Answer } from '../../../src/conformance/http/answer.ts';

export const TARGET = 'https://target.example';
export const PRM = '/.well-known/oauth-protected-resource';
export const ASM = '/.well-known/oauth-authorization-server';

type Reply = readonly [
  status: number,
  body?: object,
  headers?: readonly (readonly [string, string])[],
];

/** Scripted URLs; any other is a 404. Keeps what was requested. */
export function web(replies: Readonly<Record<string, Reply | Error>>) {
  const asked: string[] = [];
  const get = async (url: string): Promise<Answer> => {
    asked.push(url);
    const reply = replies[url] ?? [404];
    if (reply instanceof Error) throw reply;
    const [status, body, headers = []] = reply;
    return new Answer(status, headers, body === undefined ? '' : JSON.stringify(body), 1, 0);
  };
  return { asked, get };
}

export const naming = (url: string) =>
  [['www-authenticate', `Bearer resource_metadata="${url}"`]] as const;

export const service = (over: object = {}) => ({
  issuer: TARGET,
  token_endpoint: `${TARGET}/token`,
  agent_auth: { identity_endpoint: `${TARGET}/identity` },
  ...over,
});
