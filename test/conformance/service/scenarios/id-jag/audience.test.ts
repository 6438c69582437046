import { describe, expect, it } from 'vitest';
import { lookAlikes } from '../../../../../src/conformance/service/scenarios/id-jag/audience.ts';

describe('an audience that resembles the issuer', () => {
  it('is never the issuer in its other spelling, without the final slash', () => {
    expect(lookAlikes('https://service.example/', 'other.example')).not.toContain(
      'https://service.example',
    );
    expect(lookAlikes('https://service.example', 'other.example')).not.toContain(
      'https://service.example/',
    );
  });
});
