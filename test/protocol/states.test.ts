import { describe, expect, it } from 'vitest';
import { SPECIFICATION_STATES, STATES, specificationState } from '../../src/protocol/states.ts';

describe("the specification's name of a state", () => {
  it.each(['anonymous', 'service_auth'])('is that of the table for %s', (type) => {
    for (const state of STATES) {
      expect(specificationState(state, type)).toBe(SPECIFICATION_STATES[state]);
    }
  });

  it('is "identity established" for a claimed registration by ID-JAG, and for no other state of one', () => {
    expect(specificationState('claimed', 'identity_assertion')).toBe('identity established');
    expect(specificationState('pending', 'identity_assertion')).toBe('claim attempt open');
    expect(specificationState('revoked', 'identity_assertion')).toBe('revoked');
  });

  it('is null for a state that is not known here', () => {
    expect(specificationState('toString', 'anonymous')).toBeNull();
  });
});
