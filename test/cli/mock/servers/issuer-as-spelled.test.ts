import { expect, it } from 'vitest';
import { trustedIssuers } from '../../../../src/cli/mock/servers/mock-options.ts';

it('cut the final slash off an issuer, whose ID-JAGs then were of nobody', () => {
  const trust = ['https://tenant.idp.example/', 'https://tenant.idp.example'];
  expect(trustedIssuers({ trust }).map(({ issuer }) => issuer)).toEqual(trust);
});
