import type { BodyReader } from '../../../../src/mock/http/request.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import type { Rewired } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { MEDIA_TYPE } from '../../../../src/protocol/constants.ts';
import { formOf, pairsOf } from '../plain-form.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { atEndpoint } = rewire;

/** The token endpoint reads what it is sent another way. */
function reading(change: (right: BodyReader) => Partial<BodyReader>): Rewired {
  return (mock) =>
    atEndpoint(mock, { path: PATHS.token }, ({ reader }) => ({
      reader: { ...reader, ...change(reader) },
    }));
}

/** Faults: what it acceptsat its token endpoint. */
export const TOKEN_REQUEST_FAULTS = {
  acceptedJsonForm: {
    description: 'accepts JSON where a form is required (RFC 6749 §3.2)',
    parts: reading(({ accepts, form }) => ({
      accepts: (request, type) => accepts(request, type) || accepts(request, MEDIA_TYPE.json),
      form: (text) => {
        return text.startsWith('{') ? formOf(pairsOf(text)) : form(text);
      },
    })),
    fails: { 'token-requests': ['json'] },
  },
  uncheckedMediaType: {
    description: 'reads a form under any label at its token endpoint (RFC 9110 §8.3)',
    parts: reading(() => ({ accepts: () => true })),
    fails: { 'token-requests': ['labels'] },
  },
  acceptedMislabelledJson: {
    description: 'reads JSON that is labelled as a form (RFC 9110 §8.3)',
    parts: reading(({ form }) => ({
      form: (text) => (text.startsWith('{') ? formOf(pairsOf(text)) : form(text)),
    })),
    fails: { 'token-requests': ['labels'] },
  },
  acceptedRepeatedParameter: {
    description: 'reads the last of two parameters of one name (RFC 6749 §3.2)',
    parts: reading(({ form }) => ({
      form: (text) => {
        const result = form(text);
        const isRepeated = !result.ok && result.problem === 'repeated_parameter';
        return isRepeated ? formOf(new URLSearchParams(text)) : result;
      },
    })),
    fails: { 'token-requests': ['doubled'], 'idp-exchange-refusals': ['doubled'] },
  },
  uncheckedBodySize: {
    description: 'reads a body of any size at its token endpoint',
    parts: reading(() => ({ maxBytes: Number.POSITIVE_INFINITY })),
    fails: { 'token-requests': ['oversized'] },
  },
  acceptedTokenRequestByGet: {
    description: 'accepts GET at the token endpoint (RFC 6749 §3.2)',
    parts: ({ routes }) => ({
      // A router that looks at no method: the parameters are those of the query.
      routes: (mock) => {
        const { reader } = mock;
        const ofQuery: BodyReader = {
          ...reader,
          accepts: () => true,
          text: async ({ url }) => new URL(url).search.slice(1),
        };
        const asked = routes({ ...mock, reader: ofQuery });
        const byGet = asked.flatMap((route) =>
          route.path === PATHS.token ? [{ ...route, method: 'GET' as const }] : [],
        );
        return [...routes(mock), ...byGet];
      },
    }),
    fails: { 'token-requests': ['get'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
