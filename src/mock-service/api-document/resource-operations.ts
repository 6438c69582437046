import {
  type Operation,
  oauthEnvelope,
  pathParameter,
  refusal,
  type SampleAnswer,
  unavailable,
  wireProblem,
} from '../../mock/index.ts';
import { buildChallenge, type CodeAt, PROTECTED_RESOURCE_PATH } from '../../protocol/index.ts';
import { samplePath } from '../config/path-template.ts';
import type { ServiceResource } from '../config/resource.ts';
import { replyOf } from '../resource/resource.ts';
import { resourcePaths } from '../resource/resource-routes.ts';
import { insertedMetadata, REST } from './discovery-operations.ts';
import type { DescribedService, ServiceSamples } from './samples.ts';

/** What the service protects, with the metadata of each path. */
export async function resourceOperations(
  service: DescribedService,
  samples: ServiceSamples,
): Promise<readonly Operation[]> {
  const told = resourcePaths(service.config.resources).map(
    async ({ isOpen, resources, template }) => {
      const places = placesOf(template.path);
      const calls = places.flatMap((place) =>
        resources.map((resource) => callOperation(service, samples, place, resource)),
      );
      const metadata = isOpen
        ? []
        : places.map(({ parameters, path }) =>
            insertedMetadata(service, {
              id: idOf('metadataOf', PROTECTED_RESOURCE_PATH + path),
              path,
              parameters,
            }),
          );
      return [...(await Promise.all(calls)), ...metadata];
    },
  );
  return (await Promise.all(told)).flat();
}

interface Place {
  readonly path: string;
  readonly parameters: NonNullable<Operation['parameters']>;
}

/** A path as OpenAPI writes it: a whole tree is its root, and everything below it. */
function placesOf(path: string): readonly Place[] {
  const root = path.replace(/\/\*$/, '');
  const variables = [...root.matchAll(/\{([^{}/]+)\}/g)].map(([, name = '']) =>
    pathParameter(name, 'A part of the path.'),
  );
  const own = { path: root || '/', parameters: variables };
  if (root === path) return [own];
  const below = { path: `${root}/{path}`, parameters: [...variables, REST] };
  // The page of the mock itself is there.
  return root === '' ? [below] : [own, below];
}

async function callOperation(
  service: DescribedService,
  samples: ServiceSamples,
  { parameters, path }: Place,
  resource: ServiceResource,
): Promise<Operation> {
  const { config } = service;
  const { method, open, scopes } = resource;
  const request = new Request(config.issuer + samplePath(path), { method });
  const needs =
    scopes.length > 0 ? `an access token with ${scopes.join(' and ')}` : 'any valid access token';
  return {
    ...{ method, path },
    id: idOf(method.toLowerCase(), path),
    tag: 'resources',
    summary: `${method} ${path}`,
    description: open ? 'Answers without a token.' : `Needs ${needs}.`,
    ...(parameters.length > 0 && { parameters }),
    ...(!open && { security: [{ accessToken: scopes }] }),
    answers: [
      {
        name: 'success',
        description: open ? 'The answer.' : 'The answer to a call that may be made.',
        ...(resource.body !== undefined && { shown: true }),
        response: replyOf(resource, open ? undefined : holderOf(service, samples, 'service_auth')),
      },
      ...(open || resource.body !== undefined
        ? []
        : [
            {
              name: 'unclaimed',
              description: 'The same before a user has claimed the registration.',
              response: replyOf(resource, holderOf(service, samples, 'anonymous')),
            },
          ]),
      ...(open ? [] : await refused(service, request, scopes)),
      unavailable(oauthEnvelope, request),
    ],
  };
}

function holderOf(
  { config }: DescribedService,
  samples: ServiceSamples,
  type: 'anonymous' | 'service_auth',
) {
  const facts = samples.facts(type);
  const isClaimed = type !== 'anonymous';
  const holder = { ...facts, claimedAt: isClaimed ? samples.speaker.now : undefined };
  const scopes = isClaimed ? facts.postClaimScopes : facts.preClaimScopes;
  return { holder, scopes, resource: config.issuer };
}

/** Each refusal with its challenge (RFC 6750 §3, RFC 9728 §5.1). */
async function refused(
  { challengeTo }: DescribedService,
  request: Request,
  scopes: readonly string[],
): Promise<readonly SampleAnswer[]> {
  const codes: readonly CodeAt<'resource'>[] = [
    'missing_token',
    'invalid_token',
    ...(scopes.length > 0 ? (['insufficient_scope'] as const) : []),
  ];
  const call = {
    url: request.url,
    scope: scopes.join(' '),
    credentials: undefined,
    token: undefined,
  };
  return Promise.all(
    codes.map(async (code) => {
      const challenge = buildChallenge('Bearer', await challengeTo(call, code));
      const problem = wireProblem('resource', code, { headers: { 'www-authenticate': challenge } });
      return refusal(code, problem, oauthEnvelope, request);
    }),
  );
}

/** `get_api_resource_path`: what clients call the function that they generate. */
export function idOf(verb: string, path: string): string {
  const words = path.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
  return `${verb}_${words || 'root'}`;
}
