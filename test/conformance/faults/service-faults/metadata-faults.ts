import { publicReply } from '../../../../src/mock/http/response.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { AUTHORIZATION_SERVER_PATH } from '../../../../src/protocol/urls.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { atHandler } = rewire;

/** Faults of what the metadata says. */
export const METADATA_FAULTS = {
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
    fails: { 'server-metadata': ['silent-on-trust'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
