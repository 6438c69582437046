import { atHandler, on, publicReply, withMembers } from '../../mock/index.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../protocol/index.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const atServer = (path: string) => path === AUTHORIZATION_SERVER_PATH;
const atResource = (path: string) => path.startsWith(PROTECTED_RESOURCE_PATH);

/** Faults of what the metadata says. */
export const METADATA_FAULTS = {
  wrongResource: {
    description: 'names another resource in its metadata (RFC 9728 §3.3)',
    answers: on(
      (path) => atResource(path) || atServer(path),
      withMembers({ resource: 'https://other.example' }),
    ),
    breaks: ['W2-01', 'W2-02', 'PRM-02'],
    fails: { 'resource-metadata': ['requested-resource', 'own-resource'] },
  },
  wrongIssuer: {
    description: 'names another issuer in its metadata (RFC 8414 §3.3)',
    answers: on(atServer, withMembers({ issuer: 'https://other.example' })),
    breaks: ['W2-09'],
    fails: { 'server-metadata': ['same-issuer'] },
  },
  exposedTrustedIssuers: {
    description: 'lists in its metadata the providers that it trusts',
    parts: (mock) =>
      atHandler(mock, { path: AUTHORIZATION_SERVER_PATH }, ({ trust }, right) => async (c) => {
        const document = (await (await right(c)).json()) as object;
        return publicReply({
          ...document,
          trusted_issuers: trust.list().map(({ issuer }) => issuer),
        });
      }),
    breaks: ['ASM-12'],
    fails: { 'server-metadata': ['silent-on-trust'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
