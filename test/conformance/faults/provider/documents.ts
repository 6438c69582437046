import type { FaultCase } from '../fault-case.ts';

const one = (fault: string, check: string): FaultCase => ({
  fault,
  scenarios: ['provider-discovery'],
  fails: [`provider-discovery.${check}`],
});
const client = (fault: string, check: string): FaultCase => ({
  fault,
  scenarios: ['client-document'],
  fails: [`client-document.${check}`],
});

export const DOCUMENT_CASES: readonly FaultCase[] = [
  one('providerMetadataAsText', 'metadata'),
  one('providerIssuerForeign', 'issuer'),
  one('providerEndpointPlain', 'endpoints-secure'),
  one('idJagUnadvertised', 'id-jag-advertised'),
  one('providerGrantsUnlisted', 'grants-listed'),
  one('clientSecretDemanded', 'public-client'),
  one('forwardedHostBelieved', 'forwarded'),
  one('keysUnavailable', 'key-set'),
  one('keySetMoved', 'key-set-address'),
  one('keySetAsText', 'key-set-headers'),
  one('privateKeysPublished', 'keys-public'),
  one('kidsMissing', 'kids'),
  one('kidsCounted', 'thumbprints'),
  client('clientDocumentMissing', 'found'),
  client('clientIdForeign', 'client-id'),
  client('clientSecretPublished', 'no-secrets'),
  client('clientGrantsHalved', 'grant-pair'),
  {
    fault: 'newKeyUnpublished',
    scenarios: ['key-rotation'],
    fails: ['key-rotation.published-before-use', 'key-rotation.verifiable'],
  },
  {
    fault: 'oldKeysDropped',
    scenarios: ['key-rotation'],
    fails: ['key-rotation.old-key-kept'],
  },
];
