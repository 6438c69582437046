import type { Form } from '../../mock/http/request.ts';
import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { parseJsonObject } from '../../protocol/json.ts';
import { isSameOrigin, protectedResourceMetadataUrl, urlProblem } from '../../protocol/urls.ts';
import { readBody } from '../../runtime/read-body.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { ANSWER_LIMIT, receiveAnswer } from '../outbox/receive-answer.ts';

type Reading = Pick<ProviderContext, 'clock' | 'config' | 'fetch'>;

/** More than these are not looked at: a request must not make the provider walk a list. */
const MOST_RESOURCES = 5;

/**
 * The resources on other origins whose own metadata names the audience among its authorization servers
 * (RFC 9728 §2). Nothing is asked where no event would be sent.
 */
export async function namedResources(provider: Reading, form: Form): Promise<readonly string[]> {
  const { config } = provider;
  const audience = form.get('audience') ?? '';
  const elsewhere = form
    .getAll('resource')
    .filter((each) => urlProblem(each) === undefined && !isSameOrigin(each, audience))
    .filter((each) => config.mayNotify(each));
  if (elsewhere.length === 0 || config.audience(audience) === undefined) return [];
  const looked = elsewhere.slice(0, MOST_RESOURCES);
  const servers = await Promise.all(looked.map((each) => serversOf(provider, each)));
  return looked.filter((_, index) => servers[index]?.includes(audience));
}

async function serversOf(provider: Reading, resource: string): Promise<readonly unknown[]> {
  const headers = { accept: MEDIA_TYPE.json };
  const url = protectedResourceMetadataUrl(resource);
  // An answer that does not come, or breaks off, names nobody.
  const body = await receiveAnswer(provider, url, { headers })
    .then((response) => (response.status === 200 ? readBody(response, ANSWER_LIMIT) : undefined))
    .catch(() => undefined);
  const document = body?.ok ? parseJsonObject(body.text) : undefined;
  if (!document?.ok) return [];
  const { resource: own, authorization_servers: servers } = document.value;
  return own === resource && Array.isArray(servers) ? servers : [];
}
